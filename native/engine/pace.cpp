#include "engine/pace.h"

#include <algorithm>

namespace logit_audit {

namespace {

// Many slices of a scheduler's time, so that one that went to another process decides nothing.
constexpr double kStretch = 0.25;
constexpr double kSlow = 2.0;
// Shorter work of a kind may have been lucky, and sets no mark.
constexpr double kLeastWork = 0.02;

uint32_t power_of_two(size_t number) {
  uint32_t power = 0;
  for (; number > 0; number >>= 1) ++power;
  return power;
}

}  // namespace

void Pace::add(size_t tokens, size_t before, double seconds) {
  Work& work = stretch_[{power_of_two(tokens), power_of_two(before)}];
  work.tokens += static_cast<double>(tokens);
  work.seconds += seconds;
  seconds_ += seconds;
}

Verdict Pace::judge() {
  if (seconds_ < kStretch) return Verdict::kTooShort;
  double took = 0;
  double expected = 0;
  for (const auto& [kind, work] : stretch_) {
    const auto best = best_.find(kind);
    if (best == best_.end()) continue;
    took += work.seconds;
    expected += work.tokens / best->second;
  }
  // Where most of it is of kinds without a mark, the rest says little.
  const bool slow = took >= kStretch / 2 && took > kSlow * expected;
  for (const auto& [kind, work] : stretch_) {
    if (work.seconds < kLeastWork) continue;
    double& best = best_[kind];
    best = std::max(best, work.tokens / work.seconds);
  }
  stretch_.clear();
  seconds_ = 0;
  return slow ? Verdict::kSlow : Verdict::kSteady;
}

void Pace::restart(size_t tokens, double rate) {
  stretch_.clear();
  seconds_ = 0;
  best_.clear();
  best_[{power_of_two(tokens), 0}] = rate;
}

}  // namespace logit_audit
