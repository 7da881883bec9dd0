#include "engine/align.h"

#include <algorithm>
#include <cstddef>

#include "engine/tokens.h"

namespace logit_audit {

std::vector<std::pair<uint32_t, uint32_t>> aligned_steps(const std::vector<llama_token>& x,
                                                         const std::vector<llama_token>& y) {
  const size_t start = common_prefix(x, y);
  const size_t rows = x.size() - start;
  const size_t columns = y.size() - start;
  // Length of the longest common subsequence of the ends x[start + i..], y[start + j..].
  std::vector<uint32_t> longest((rows + 1) * (columns + 1), 0);
  const auto cell = [&](size_t i, size_t j) -> uint32_t& { return longest[i * (columns + 1) + j]; };
  for (size_t i = rows; i-- > 0;) {
    for (size_t j = columns; j-- > 0;) {
      cell(i, j) =
          x[start + i] == y[start + j] ? cell(i + 1, j + 1) + 1 : std::max(cell(i + 1, j), cell(i, j + 1));
    }
  }
  std::vector<std::pair<uint32_t, uint32_t>> steps;
  size_t i = 0;
  size_t j = 0;
  while (i < rows && j < columns) {
    if (x[start + i] == y[start + j]) {
      // The step is before the common token; the very first token has none.
      if (start + i > 0 && start + j > 0) {
        steps.emplace_back(static_cast<uint32_t>(start + i - 1), static_cast<uint32_t>(start + j - 1));
      }
      ++i;
      ++j;
    } else if (cell(i + 1, j) >= cell(i, j + 1)) {
      ++i;
    } else {
      ++j;
    }
  }
  return steps;
}

}  // namespace logit_audit
