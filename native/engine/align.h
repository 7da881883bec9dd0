// The steps at which two texts that differ in a few words can be compared: where both continue with the same
// token.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "llama.h"

namespace logit_audit {

// Pairs of positions (i, j), rising, after which x and y both continue with the same token, after their first
// difference: x[i + 1] and y[j + 1] are a pair of a longest common subsequence of what follows it. Empty
// where the texts do not differ, or share nothing after they did. Memory and time grow with the product of
// the lengths.
std::vector<std::pair<uint32_t, uint32_t>> aligned_steps(const std::vector<llama_token>& x,
                                                         const std::vector<llama_token>& y);

}  // namespace logit_audit
