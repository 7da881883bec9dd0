// Which token comes next: the likeliest, or one drawn from the distribution, within a grammar if there is
// one.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "llama.h"

namespace logit_audit {

// How a text is continued.
struct Decoding {
  // Tokens, 1 or more.
  uint32_t max_tokens = 1;
  // 0: always the likeliest token, of equally likely ones the one with the lowest id.
  double temperature = 0;
  // Draws come from the fewest likeliest tokens that together have this probability, in (0, 1].
  double top_p = 1;
  // The draws depend on this number and on the step alone.
  uint64_t seed = 0;
  // The text ends before the first of these.
  std::vector<std::string> stop;
  // GBNF with a rule named root; empty: any text.
  std::string grammar;
};

// Throws bad_argument where a number is outside its range.
void check_decoding(const Decoding& decoding);

// Chooses the tokens of one text, step by step.
class TokenChoice {
 public:
  // Throws bad_argument for a grammar that cannot be read.
  TokenChoice(const llama_vocab* vocab, const Decoding& decoding);

  // The token of the next step, from its logits, as many as the vocabulary has tokens. Of a row that is no
  // row of logits (NaN, nothing finite) it gives any token. Throws bad_argument where the grammar allows
  // none.
  llama_token next(const float* logits);

 private:
  struct Deleter {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
  };

  llama_token likeliest(const float* logits) const;
  llama_token drawn(const float* logits) const;
  bool allows(llama_token token, float logit) const;
  // The logits with -inf for every token that the grammar does not allow.
  const float* mask_logits(const float* logits);

  size_t vocab_size_;
  double temperature_;
  double top_p_;
  uint64_t seed_;
  uint64_t step_ = 0;
  std::unique_ptr<llama_sampler, Deleter> grammar_;
  std::vector<float> masked_;
};

}  // namespace logit_audit
