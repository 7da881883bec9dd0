// What can be asked of a model, and what a request becomes: sequences with wanted steps.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/model.h"
#include "engine/sequence.h"
#include "engine/token_choice.h"

namespace logit_audit {

// What to do about a text of so many tokens that the context does not hold.
std::string too_long_remedy(const Model& model, size_t tokens);

enum class RequestKind {
  kProbe,     // one text; the steps that `positions` names
  kPair,      // a text and its swap; the steps that `pair_steps` names, on both
  kScore,     // a prompt and continuations; every token of every continuation
  kGenerate,  // a prompt; the tokens that `decoding` chooses
  kEmbed,     // one text; a vector
};

enum class Positions {
  kLast,  // the step after the whole text
  kAll,   // the step after every token
  kList,  // the steps after the tokens at `position_list`
};

enum class PairSteps {
  kLast,     // the step after each whole text
  kAligned,  // every step after the first difference at which both continue with the same token
  kDecode,   // the steps of the first text's likeliest continuation, put behind both
};

// What is put behind a prompt and the text that was written there, and how the text then continues.
struct Then {
  std::string text;
  Decoding decoding;
};

struct Request {
  RequestKind kind = RequestKind::kProbe;
  // probe, generate, embed: one; pair: x and its swap; score: the prompt, then the continuations.
  std::vector<std::string> texts;
  // Texts are rendered chats: special tokens in them are special, and BOS is only added where none stands in
  // front.
  bool special = false;
  Positions positions = Positions::kLast;
  std::vector<uint32_t> position_list;
  PairSteps pair_steps = PairSteps::kLast;
  // score: every token's log-probability, not only their sum.
  bool per_token = false;
  // score: a text's first token is scored too. Where the model puts no BOS in front, its BOS or else its EOS
  // is put there.
  bool score_first = false;
  // generate: every step's row and token.
  bool step_metrics = false;
  // generate; of pairs with steps kDecode only `max_tokens`.
  Decoding decoding;
  // generate: what the model continues from after its text is written.
  std::optional<Then> then;
};

struct RequestSequences {
  std::vector<Sequence> sequences;
  // pair: which step of side 0 goes with which step of side 1, as indices into their steps.
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
};

// Of every kind but kEmbed. Throws empty_input, context_overflow (the text does not fit in `context_length`),
// out_of_range (a position) or bad_argument (the wrong number of texts).
RequestSequences make_sequences(const Model& model, const Request& request, uint32_t index,
                                uint32_t context_length);

}  // namespace logit_audit
