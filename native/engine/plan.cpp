#include "engine/plan.h"

#include <algorithm>

namespace logit_audit {

namespace {

struct Unit {
  size_t first = 0;
  size_t count = 0;
  size_t tokens = 0;
};

std::vector<Unit> group_by_request(const std::vector<SequenceShape>& shapes) {
  std::vector<Unit> units;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (i == 0 || shapes[i].request != shapes[i - 1].request) units.push_back({i, 0, 0});
    units.back().count += 1;
    units.back().tokens += shapes[i].tokens;
  }
  return units;
}

}  // namespace

std::vector<std::vector<size_t>> plan_batches(const std::vector<SequenceShape>& shapes, BatchLimits limits) {
  std::vector<Unit> units = group_by_request(shapes);
  std::stable_sort(units.begin(), units.end(),
                   [](const Unit& a, const Unit& b) { return a.tokens > b.tokens; });

  std::vector<std::vector<size_t>> batches;
  size_t tokens = 0;
  for (const Unit& unit : units) {
    const bool fits = !batches.empty() && tokens + unit.tokens <= limits.target_tokens &&
                      batches.back().size() + unit.count <= limits.sequences;
    if (!fits) {
      batches.emplace_back();
      tokens = 0;
    }
    for (size_t i = 0; i < unit.count; ++i) batches.back().push_back(unit.first + i);
    tokens += unit.tokens;
  }
  return batches;
}

}  // namespace logit_audit
