// Which sequences are decoded together. Pure: no llama.cpp, so that it can be tested alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace logit_audit {

// A request's one or two sequences (x, and its swap) stand next to each other.
struct SequenceShape {
  uint32_t request = 0;
  size_t tokens = 0;
};

struct BatchLimits {
  // A batch is closed before it passes this many tokens, unless one request alone is longer.
  size_t target_tokens = 0;
  size_t sequences = 0;
};

// Batches as lists of indices into `shapes`. Every sequence is in exactly one batch; the sequences of a
// request share a batch, so that a pair goes through one path; longest requests come first, so that memory
// trouble shows at once; equal lengths keep their order, so that the plan depends on its input alone.
std::vector<std::vector<size_t>> plan_batches(const std::vector<SequenceShape>& shapes, BatchLimits limits);

}  // namespace logit_audit
