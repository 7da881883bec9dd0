// Token sequences side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "llama.h"

namespace logit_audit {

// Tokens at the beginning of both.
inline size_t common_prefix(const std::vector<llama_token>& a, const std::vector<llama_token>& b) {
  const auto [end, _] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<size_t>(end - a.begin());
}

}  // namespace logit_audit
