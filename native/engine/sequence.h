// What is decoded: token sequences with the steps that are wanted of them.
#pragma once

#include <cstdint>
#include <vector>

#include "llama.h"

namespace logit_audit {

constexpr llama_token kNoTarget = -1;

// The next-token distribution after the token at `position`. With a target, that token's log-probability is
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
  // What follows it in the text.
  std::vector<llama_token> rest;
  // In order of position, each position once, never empty; the last one is at the last of `tokens`, but for
  // those that a growing sequence gets behind it.
  std::vector<Step> steps;
  // Its steps become rows of numbers: false where their targets alone are wanted.
  bool rows = true;
  // Its targets are wanted one by one.
  bool per_token = false;
  // Its targets are a continuation's, whose sum is wanted, and the bytes of that.
  bool scored = false;
  uint32_t scored_bytes = 0;
  // A token would have spanned the join of prompt and continuation.
  bool backed_off = false;
  // It is a text that was requested, and is reported with those.
  bool listed = true;
  // Tokens that may be decoded behind `tokens`, one after the other: what it or its request's side 0 says.
  uint32_t growth = 0;
};

}  // namespace logit_audit
