#include "engine/request.h"

#include <algorithm>

#include "engine/align.h"
#include "engine/tokenizer.h"
#include "error.h"

namespace logit_audit {

std::string too_long_remedy(const Model& model, size_t tokens) {
  const int32_t trained = model.info().trained_context_length;
  if (trained > 0 && tokens > static_cast<size_t>(trained)) {
    return "shorten the text: the model was trained on texts of at most " + std::to_string(trained) +
           " tokens, so that a larger --ctx does not help";
  }
  return "raise --ctx to " + std::to_string(tokens) + " or more, or shorten the text";
}

namespace {

void check_length(const Model& model, size_t tokens, uint32_t context_length) {
  if (tokens == 0) {
    throw Error(Code::kEmptyInput,
                "the text is empty, and this model puts no BOS in front: there is no step to observe");
  }
  if (tokens > context_length) {
    throw Error(Code::kContextOverflow,
                "the text has " + std::to_string(tokens) + " tokens, the context holds " +
                    std::to_string(context_length) + "; " + too_long_remedy(model, tokens),
                {{"tokens", static_cast<double>(tokens)}, {"context", static_cast<double>(context_length)}});
  }
}

Sequence sequence_of(const Model& model, const Request& request, uint32_t index, uint32_t side,
                     uint32_t context_length) {
  Sequence sequence;
  sequence.request = index;
  sequence.side = side;
  sequence.tokens = tokenize(model.vocab(), request.texts[side], true, request.special);
  check_length(model, sequence.tokens.size(), context_length);
  return sequence;
}

// Tokens after the last wanted step need not be decoded.
void cut_after_last_step(Sequence& sequence) {
  const auto cut = sequence.tokens.begin() + sequence.steps.back().position + 1;
  sequence.rest.assign(cut, sequence.tokens.end());
  sequence.tokens.erase(cut, sequence.tokens.end());
}

uint32_t last_position(const Sequence& sequence) { return static_cast<uint32_t>(sequence.tokens.size()) - 1; }

void add_probe_steps(const Request& request, Sequence& sequence) {
  const uint32_t last = last_position(sequence);
  switch (request.positions) {
    case Positions::kLast:
      sequence.steps.push_back({last, kNoTarget});
      return;
    case Positions::kAll:
      for (uint32_t position = 0; position <= last; ++position)
        sequence.steps.push_back({position, kNoTarget});
      return;
    case Positions::kList:
      break;
  }
  std::vector<uint32_t> wanted = request.position_list;
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  if (wanted.empty()) throw Error(Code::kBadArgument, "positions is empty; name at least one, or \"last\"");
  if (wanted.back() > last) {
    throw Error(Code::kOutOfRange,
                "position " + std::to_string(wanted.back()) + " is outside the text of " +
                    std::to_string(last + 1) + " tokens",
                {{"position", static_cast<double>(wanted.back())}});
  }
  for (const uint32_t position : wanted) sequence.steps.push_back({position, kNoTarget});
}

RequestSequences make_probe(const Model& model, const Request& request, uint32_t index,
                            uint32_t context_length) {
  Sequence sequence = sequence_of(model, request, index, 0, context_length);
  add_probe_steps(request, sequence);
  cut_after_last_step(sequence);
  return {{std::move(sequence)}, {}};
}

// Tokens that fit behind a text. The last one that is chosen need not be decoded.
uint32_t growth_of(const Request& request, const Sequence& sequence, uint32_t context_length,
                   uint32_t more = 0) {
  if (request.decoding.max_tokens == 0) throw Error(Code::kBadArgument, "maxTokens must be at least 1");
  const auto room = context_length - static_cast<uint32_t>(sequence.tokens.size());
  const uint64_t wanted = uint64_t{request.decoding.max_tokens} - 1 + more;
  return static_cast<uint32_t>(std::min<uint64_t>(wanted, room));
}

// Prompt, written text and what is put behind it may take some tokens more as one text than each by itself.
constexpr uint32_t kJoins = 4;

// Cells for `then` behind a text of `max_tokens`, the last of which had none.
uint32_t growth_of_then(const Model& model, const Request& request) {
  try {
    const auto text = tokenize(model.vocab(), request.then->text, false, request.special);
    return static_cast<uint32_t>(text.size()) + request.then->decoding.max_tokens + kJoins;
  } catch (const Error&) {
    // A text that cannot be read does not continue (following.h).
    return 0;
  }
}

RequestSequences make_generate(const Model& model, const Request& request, uint32_t index,
                               uint32_t context_length) {
  Sequence sequence = sequence_of(model, request, index, 0, context_length);
  sequence.steps.push_back({last_position(sequence), kNoTarget});
  sequence.rows = request.step_metrics;
  sequence.per_token = request.step_metrics;
  const uint32_t more = request.then ? growth_of_then(model, request) : 0;
  sequence.growth = growth_of(request, sequence, context_length, more);
  return {{std::move(sequence)}, {}};
}

RequestSequences make_pair(const Model& model, const Request& request, uint32_t index,
                           uint32_t context_length) {
  RequestSequences out;
  Sequence x = sequence_of(model, request, index, 0, context_length);
  Sequence y = sequence_of(model, request, index, 1, context_length);
  std::vector<std::pair<uint32_t, uint32_t>> steps;
  if (request.pair_steps == PairSteps::kAligned) {
    steps = aligned_steps(x.tokens, y.tokens);
    if (steps.empty()) {
      throw Error(Code::kEmptyInput,
                  "the two texts share no step after their first difference: there is nothing to compare");
    }
  } else {
    steps = {{last_position(x), last_position(y)}};
  }
  if (request.pair_steps == PairSteps::kDecode) {
    for (Sequence* side : {&x, &y}) side->growth = growth_of(request, *side, context_length);
  }
  for (const auto& [i, j] : steps) {
    out.pairs.emplace_back(static_cast<uint32_t>(x.steps.size()), static_cast<uint32_t>(y.steps.size()));
    x.steps.push_back({i, kNoTarget});
    y.steps.push_back({j, kNoTarget});
  }
  cut_after_last_step(x);
  cut_after_last_step(y);
  out.sequences = {std::move(x), std::move(y)};
  return out;
}

// Before a text whose first token is scored and has nothing before it.
void put_in_front(const Model& model, JointTokens& joint) {
  const ModelInfo& info = model.info();
  const llama_token front = info.bos != LLAMA_TOKEN_NULL ? info.bos : info.eos;
  if (front == LLAMA_TOKEN_NULL) {
    throw Error(
        Code::kBadArgument,
        "this model has neither BOS nor EOS to put in front of a text, so that a text's first token has no "
        "probability");
  }
  joint.ids.insert(joint.ids.begin(), front);
  joint.boundary = 1;
}

Sequence continuation_of(const Model& model, const Request& request, uint32_t index, uint32_t continuation,
                         uint32_t context_length) {
  JointTokens joint =
      tokenize_joint(model.vocab(), request.texts[0], request.texts[continuation + 1], true, request.special);
  if (request.score_first && joint.boundary == 0 && !joint.ids.empty()) put_in_front(model, joint);
  check_length(model, joint.ids.size(), context_length);
  Sequence sequence;
  sequence.request = index;
  sequence.side = continuation;
  sequence.rows = false;
  sequence.per_token = request.per_token;
  sequence.scored = true;
  sequence.scored_bytes = static_cast<uint32_t>(request.texts[continuation + 1].size());
  sequence.backed_off = joint.backed_off;
  // The very first token has no step before it.
  for (size_t at = std::max<size_t>(joint.boundary, 1); at < joint.ids.size(); ++at) {
    sequence.steps.push_back({static_cast<uint32_t>(at - 1), joint.ids[at]});
  }
  if (sequence.steps.empty()) {
    throw Error(Code::kEmptyInput,
                "continuation " + std::to_string(continuation + 1) + " has no token to score",
                {{"continuation", static_cast<double>(continuation)}});
  }
  sequence.tokens = std::move(joint.ids);
  cut_after_last_step(sequence);
  return sequence;
}

RequestSequences make_score(const Model& model, const Request& request, uint32_t index,
                            uint32_t context_length) {
  RequestSequences out;
  for (uint32_t c = 0; c + 1 < request.texts.size(); ++c) {
    out.sequences.push_back(continuation_of(model, request, index, c, context_length));
  }
  return out;
}

}  // namespace

RequestSequences make_sequences(const Model& model, const Request& request, uint32_t index,
                                uint32_t context_length) {
  const size_t texts = request.texts.size();
  switch (request.kind) {
    case RequestKind::kProbe:
      if (texts != 1) throw Error(Code::kBadArgument, "a probe has one text");
      return make_probe(model, request, index, context_length);
    case RequestKind::kPair:
      if (texts != 2) throw Error(Code::kBadArgument, "a pair has two texts");
      return make_pair(model, request, index, context_length);
    case RequestKind::kScore:
      if (texts < 2) throw Error(Code::kBadArgument, "a score has a prompt and at least one continuation");
      return make_score(model, request, index, context_length);
    case RequestKind::kGenerate:
      if (texts != 1) throw Error(Code::kBadArgument, "a generation has one prompt");
      return make_generate(model, request, index, context_length);
    case RequestKind::kEmbed:
      break;
  }
  throw Error(Code::kBadArgument, "there is no such kind of request");
}

}  // namespace logit_audit
