// What is decoded: token sequences with the steps that are wanted of them.
#pragma once

#include <cstdint>
#include <vector>

#include "llama.h"

namespace logit_audit {

constexpr llama_token kNoTarget = -1;

// The next-token distribution after tokens[position]; with a target, only that token's log-probability is
// wanted.
struct Step {
  uint32_t position = 0;
  llama_token target = kNoTarget;
};

struct Sequence {
  // Index of its request within the window.
  uint32_t request = 0;
  // Which of the request's texts it is: x or its swap, or the number of the continuation.
  uint32_t side = 0;
  // What is decoded: up to the last wanted step.
  std::vector<llama_token> tokens;
  // What stands behind it in the text.
  std::vector<llama_token> rest;
  // In order of position, each position once, never empty; the last one is at the last of `tokens`.
  std::vector<Step> steps;
  // A token would have spanned the join of prompt and continuation.
  bool backed_off = false;
};

}  // namespace logit_audit
