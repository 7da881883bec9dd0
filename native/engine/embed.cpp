#include "engine/embed.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "engine/request.h"
#include "engine/tap.h"
#include "engine/tokenizer.h"
#include "error.h"

namespace logit_audit {

namespace {

// A text on its way to a vector.
struct Text {
  uint32_t request = 0;
  std::vector<llama_token> tokens;
  // Sum of the hidden states that are pooled.
  std::vector<double> sum;
};

// llama.cpp gives a hidden state for every token while this lives.
class EmbeddingScope {
 public:
  explicit EmbeddingScope(llama_context* context) : context_(context) {
    llama_set_embeddings(context_, true);
  }
  ~EmbeddingScope() { llama_set_embeddings(context_, false); }
  EmbeddingScope(const EmbeddingScope&) = delete;
  EmbeddingScope& operator=(const EmbeddingScope&) = delete;

 private:
  llama_context* context_;
};

Text make_text(const Model& model, const Context& context, const Request& request, uint32_t index) {
  if (model.info().pooling == Pooling::kRank)
    throw Error(Code::kBadArgument,
                "this model ranks pairs of texts and gives no vectors; open one that embeds");
  Text text;
  text.request = index;
  text.tokens = tokenize_whole(model.vocab(), request.texts.at(0), request.special);
  if (text.tokens.empty()) throw Error(Code::kEmptyInput, "the text is empty: there is nothing to embed");
  const size_t longest = model.info().causal ? context.context_length() : context.hidden_states();
  if (text.tokens.size() > longest) {
    const std::string remedy = model.info().causal ? too_long_remedy(model, text.tokens.size())
                                                   : "raise --batch or shorten the text";
    throw Error(
        Code::kContextOverflow,
        "the text has " + std::to_string(text.tokens.size()) + " tokens, " + std::to_string(longest) +
            " fit; " + remedy,
        {{"tokens", static_cast<double>(text.tokens.size())}, {"context", static_cast<double>(longest)}});
  }
  return text;
}

bool is_pooled(Pooling pooling, size_t position, size_t length) {
  switch (pooling) {
    case Pooling::kFirst:
      return position == 0;
    case Pooling::kLast:
      return position + 1 == length;
    case Pooling::kMean:
    case Pooling::kRank:
      break;
  }
  return true;
}

// One call's tokens, and which hidden state goes where.
class HiddenStates {
 public:
  HiddenStates(Context& context, Pooling pooling, size_t dimensions)
      : context_(context),
        pooling_(pooling),
        dimensions_(dimensions),
        batch_(llama_batch_init(static_cast<int32_t>(context.hidden_states()), 0, 1)) {}
  ~HiddenStates() { llama_batch_free(batch_); }
  HiddenStates(const HiddenStates&) = delete;
  HiddenStates& operator=(const HiddenStates&) = delete;

  size_t room() const { return context_.hidden_states() - owners_.size(); }

  void add(Text& text, size_t position, llama_seq_id id) {
    if (room() == 0) flush();
    const auto at = batch_.n_tokens++;
    batch_.token[at] = text.tokens[position];
    batch_.pos[at] = static_cast<llama_pos>(position);
    batch_.n_seq_id[at] = 1;
    batch_.seq_id[at][0] = id;
    batch_.logits[at] = 1;
    owners_.emplace_back(&text, position);
  }

  void flush() {
    if (owners_.empty()) return;
    decode_or_throw(context_, batch_);
    for (size_t i = 0; i < owners_.size(); ++i) {
      auto& [text, position] = owners_[i];
      if (!is_pooled(pooling_, position, text->tokens.size())) continue;
      const float* state = llama_get_embeddings_ith(context_.get(), static_cast<int32_t>(i));
      if (state == nullptr)
        throw Error(Code::kEngineFailed, "llama.cpp gave no hidden states; this model cannot embed");
      text->sum.resize(dimensions_, 0.0);
      for (size_t d = 0; d < dimensions_; ++d) text->sum[d] += static_cast<double>(state[d]);
    }
    owners_.clear();
    batch_.n_tokens = 0;
  }

 private:
  Context& context_;
  Pooling pooling_;
  size_t dimensions_;
  llama_batch batch_;
  std::vector<std::pair<Text*, size_t>> owners_;
};

// Texts [from, to) that are in the cache at once.
size_t end_of_group(const std::vector<Text>& texts, size_t from, const Context& context, bool causal) {
  const PlanOptions& plan = context.plan();
  if (plan.isolate) return from + 1;
  const size_t cells = causal ? plan.cells : context.hidden_states();
  size_t to = from;
  size_t tokens = 0;
  while (to < texts.size() && to - from < plan.slots) {
    tokens += texts[to].tokens.size();
    if (to > from && tokens > cells) break;
    ++to;
  }
  return to;
}

void append_unit_vector(const Text& text, EmbeddingTable& out) {
  double squares = 0;
  for (const double value : text.sum) squares += value * value;
  const double length = std::sqrt(squares);
  if (!(length > 0 && std::isfinite(length))) {
    throw Error(Code::kNotFinite,
                "the model's hidden states give a vector of length " + std::to_string(length));
  }
  out.request.push_back(text.request);
  for (const double value : text.sum) out.values.push_back(static_cast<float>(value / length));
}

}  // namespace

uint64_t embed_texts(const Model& model, Context& context, const std::vector<Request>& requests,
                     Reduction& reduction, EmbeddingTable& out, const std::atomic<bool>& cancel) {
  std::vector<Text> texts;
  for (uint32_t index = 0; index < requests.size(); ++index) {
    if (requests[index].kind != RequestKind::kEmbed) continue;
    try {
      texts.push_back(make_text(model, context, requests[index], index));
    } catch (const Error& error) {
      reduction.add_failure(index, error);
    }
  }
  if (texts.empty()) return 0;

  const EmbeddingScope scope(context.get());
  HiddenStates states(context, model.info().pooling, static_cast<size_t>(model.info().embedding_length));
  uint64_t decoded = 0;
  for (size_t from = 0; from < texts.size();) {
    check_cancelled(cancel);
    context.threads().reconsider();
    const size_t to = end_of_group(texts, from, context, model.info().causal);
    clear_memory(context);
    for (size_t t = from; t < to; ++t) {
      for (size_t position = 0; position < texts[t].tokens.size(); ++position)
        states.add(texts[t], position, static_cast<llama_seq_id>(t - from));
      decoded += texts[t].tokens.size();
    }
    states.flush();
    from = to;
  }
  for (const Text& text : texts) {
    try {
      append_unit_vector(text, out);
    } catch (const Error& error) {
      reduction.add_failure(text.request, error);
    }
  }
  return decoded;
}

}  // namespace logit_audit
