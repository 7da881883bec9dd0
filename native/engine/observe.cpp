#include "engine/observe.h"

#include <algorithm>
#include <map>
#include <optional>

#include "engine/plan.h"
#include "engine/tap.h"
#include "engine/tokenizer.h"

namespace logit_audit {

namespace {

struct Sequence {
  size_t index = 0;  // in ObserveInput
  uint32_t request = 0;
  uint8_t side = 0;
  std::vector<llama_token> tokens;
};

class Window {
 public:
  Window(const Model& model, Context& context, const metrics::Reducer& reducer, const ObserveInput& input,
         const std::atomic<bool>& cancel)
      : model_(model), context_(context), reducer_(reducer), input_(input), cancel_(cancel) {
    vocab_ = static_cast<size_t>(model.info().vocab_size);
    reducer.check(input.measure, vocab_);
    top_k_ = std::min(input.measure.top_k, vocab_);
  }

  Observations run() {
    tokenize_all();
    allocate();
    std::vector<SequenceShape> shapes;
    for (const Sequence& sequence : sequences_) shapes.push_back({sequence.request, sequence.tokens.size()});
    for (const auto& batch : plan_batches(shapes, {context_.target_tokens(), context_.batch_sequences()})) {
      if (cancel_.load(std::memory_order_relaxed))
        throw Error(Code::kCancelled, "the observation was cancelled");
      decode(batch);
      reduce(batch);
    }
    return collect();
  }

 private:
  void fail(uint32_t request, const Error& error) {
    failures_.emplace(request, RequestFailure{request, error.code(), error.what(), error.data()});
  }
  bool failed(uint32_t request) const { return failures_.count(request) != 0; }

  std::vector<llama_token> tokenize_one(const std::string& text) const {
    std::vector<llama_token> tokens = tokenize(model_.vocab(), text, true);
    if (tokens.empty()) {
      throw Error(Code::kEmptyInput,
                  "the text is empty, and this model puts no BOS in front: there is no step to observe");
    }
    if (tokens.size() > context_.context_length()) {
      throw Error(Code::kContextOverflow,
                  "the text has " + std::to_string(tokens.size()) + " tokens, the context holds " +
                      std::to_string(context_.context_length()) + "; raise --ctx or shorten the text",
                  {{"tokens", static_cast<double>(tokens.size())},
                   {"context", static_cast<double>(context_.context_length())}});
    }
    return tokens;
  }

  void tokenize_all() {
    std::vector<Sequence> all;
    for (size_t i = 0; i < input_.texts.size(); ++i) {
      try {
        all.push_back({i, input_.request[i], input_.side[i], tokenize_one(input_.texts[i])});
      } catch (const Error& error) {
        fail(input_.request[i], error);
      }
    }
    // Both sides of a pair stand or fall together.
    for (Sequence& sequence : all) {
      if (!failed(sequence.request)) sequences_.push_back(std::move(sequence));
    }
  }

  bool is_pair(size_t s) const {
    return s + 1 < sequences_.size() && sequences_[s].request == sequences_[s + 1].request;
  }

  void allocate() {
    const size_t rows = sequences_.size();
    const size_t groups = input_.measure.groups();
    const size_t ks = input_.measure.pair_top_k.size();
    pair_of_.assign(rows, std::nullopt);
    size_t pairs = 0;
    for (size_t s = 0; s < rows; ++s) {
      if (is_pair(s)) pair_of_[s] = pairs++;
    }
    out_.logsumexp.resize(rows);
    out_.entropy.resize(rows);
    out_.masses.resize(rows * groups);
    out_.top_k_ids.resize(rows * top_k_);
    out_.top_k_probs.resize(rows * top_k_);
    for (std::vector<double>* column : {&out_.jsd, &out_.kl_pq, &out_.kl_qp, &out_.total_variation}) {
      column->resize(pairs);
    }
    out_.union_size.resize(pairs * ks);
    for (std::vector<double>* column : {&out_.partial, &out_.lower, &out_.upper}) column->resize(pairs * ks);
  }

  void decode(const std::vector<size_t>& batch) {
    size_t tokens = 0;
    for (const size_t s : batch) tokens += sequences_[s].tokens.size();
    DecodeBatch decode_batch(tokens);
    wanted_.clear();
    for (size_t slot = 0; slot < batch.size(); ++slot) {
      wanted_.push_back(decode_batch.add(sequences_[batch[slot]].tokens, static_cast<llama_seq_id>(slot)));
    }
    context_.set_cancel(&cancel_);
    decode_batch.decode(context_);
    context_.set_cancel(nullptr);
    out_.decoded_tokens += tokens;
  }

  void reduce(const std::vector<size_t>& batch) {
    for (size_t slot = 0; slot < batch.size(); ++slot) {
      const size_t s = batch[slot];
      if (failed(sequences_[s].request)) continue;
      try {
        const float* row = host_row(context_, wanted_[slot]);
        reducer_.reduce_row(row, vocab_, input_.measure, row_record(s));
        // plan_batches keeps the sequences of a request next to each other.
        if (pair_of_[s]) {
          reducer_.reduce_pair(row, host_row(context_, wanted_[slot + 1]), vocab_, input_.measure,
                               pair_record(*pair_of_[s]));
        }
      } catch (const Error& error) {
        if (error.code() == Code::kEngineFailed) throw;
        fail(sequences_[s].request, error);
      }
    }
  }

  metrics::RowRecord row_record(size_t row) {
    return {&out_.logsumexp[row], &out_.entropy[row], out_.masses.data() + row * input_.measure.groups(),
            out_.top_k_ids.data() + row * top_k_, out_.top_k_probs.data() + row * top_k_};
  }

  metrics::PairRecord pair_record(size_t pair) {
    const size_t at = pair * input_.measure.pair_top_k.size();
    return {&out_.jsd[pair],
            &out_.kl_pq[pair],
            &out_.kl_qp[pair],
            &out_.total_variation[pair],
            out_.union_size.data() + at,
            out_.partial.data() + at,
            out_.lower.data() + at,
            out_.upper.data() + at};
  }

  // Moves `width` values of item `from` to item `to` <= from.
  template <typename T>
  static void move_item(std::vector<T>& column, size_t width, size_t from, size_t to) {
    std::copy_n(column.begin() + static_cast<std::ptrdiff_t>(from * width), width,
                column.begin() + static_cast<std::ptrdiff_t>(to * width));
  }

  // Drops the slots of requests that failed while they were reduced, and names the rest.
  Observations collect() {
    const size_t groups = input_.measure.groups();
    const size_t ks = input_.measure.pair_top_k.size();
    size_t rows = 0;
    size_t pairs = 0;
    out_.token_offsets.push_back(0);
    for (size_t s = 0; s < sequences_.size(); ++s) {
      const Sequence& sequence = sequences_[s];
      if (failed(sequence.request)) continue;
      out_.row_request.push_back(sequence.request);
      out_.row_side.push_back(sequence.side);
      out_.row_position.push_back(static_cast<uint32_t>(sequence.tokens.size()));
      out_.token_ids.insert(out_.token_ids.end(), sequence.tokens.begin(), sequence.tokens.end());
      out_.token_offsets.push_back(static_cast<uint32_t>(out_.token_ids.size()));
      move_item(out_.logsumexp, 1, s, rows);
      move_item(out_.entropy, 1, s, rows);
      move_item(out_.masses, groups, s, rows);
      move_item(out_.top_k_ids, top_k_, s, rows);
      move_item(out_.top_k_probs, top_k_, s, rows);
      ++rows;
      if (!pair_of_[s]) continue;
      out_.pair_request.push_back(sequence.request);
      for (std::vector<double>* column : {&out_.jsd, &out_.kl_pq, &out_.kl_qp, &out_.total_variation}) {
        move_item(*column, 1, *pair_of_[s], pairs);
      }
      move_item(out_.union_size, ks, *pair_of_[s], pairs);
      for (std::vector<double>* column : {&out_.partial, &out_.lower, &out_.upper}) {
        move_item(*column, ks, *pair_of_[s], pairs);
      }
      ++pairs;
    }
    shrink(rows, pairs, groups, ks);
    for (auto& [request, failure] : failures_) out_.failures.push_back(std::move(failure));
    return std::move(out_);
  }

  void shrink(size_t rows, size_t pairs, size_t groups, size_t ks) {
    out_.logsumexp.resize(rows);
    out_.entropy.resize(rows);
    out_.masses.resize(rows * groups);
    out_.top_k_ids.resize(rows * top_k_);
    out_.top_k_probs.resize(rows * top_k_);
    for (std::vector<double>* column : {&out_.jsd, &out_.kl_pq, &out_.kl_qp, &out_.total_variation}) {
      column->resize(pairs);
    }
    out_.union_size.resize(pairs * ks);
    for (std::vector<double>* column : {&out_.partial, &out_.lower, &out_.upper}) column->resize(pairs * ks);
  }

  const Model& model_;
  Context& context_;
  const metrics::Reducer& reducer_;
  const ObserveInput& input_;
  const std::atomic<bool>& cancel_;
  size_t vocab_ = 0;
  size_t top_k_ = 0;

  std::vector<Sequence> sequences_;
  // The pair slot of a pair's first sequence.
  std::vector<std::optional<size_t>> pair_of_;
  // Where in the batch each sequence's wanted step stands.
  std::vector<int32_t> wanted_;
  std::map<uint32_t, RequestFailure> failures_;
  Observations out_;
};

}  // namespace

Observations observe(const Model& model, Context& context, const metrics::Reducer& reducer,
                     const ObserveInput& input, const std::atomic<bool>& cancel) {
  if (input.texts.size() != input.request.size() || input.texts.size() != input.side.size()) {
    throw Error(Code::kLengthMismatch, "texts, request and side must be equally long");
  }
  return Window(model, context, reducer, input, cancel).run();
}

}  // namespace logit_audit
