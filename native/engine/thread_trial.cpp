#include "engine/thread_trial.h"

#include <algorithm>
#include <limits>

namespace logit_audit {

namespace {

// Several slices of a scheduler's time: a decode of a small model fits between two of them, and would not
// show that the cores are shared.
constexpr double kLeastSeconds = 0.025;
constexpr double kGiveUpFactor = 2.0;
constexpr double kGiveUpSeconds = 10.0;
constexpr double kGoodEnough = 0.9;
constexpr double kBetterBy = 7.0 / 6.0;

double rate_of(const std::vector<ThreadRate>& rates, uint32_t threads) {
  for (const ThreadRate& one : rates) {
    if (one.threads == threads) return one.tokens_per_second;
  }
  return 0;
}

}  // namespace

std::vector<uint32_t> thread_candidates(uint32_t cores) {
  std::vector<uint32_t> out;
  for (const uint32_t threads : {std::max(cores / 2, 1U), 1U, std::max(cores, 1U)}) {
    if (std::find(out.begin(), out.end(), threads) == out.end()) out.push_back(threads);
  }
  return out;
}

std::vector<ThreadRate> time_candidates(const std::vector<uint32_t>& candidates, size_t tokens,
                                        const DecodeOnce& decode) {
  std::vector<ThreadRate> rates;
  if (candidates.empty()) return rates;
  decode(candidates.front(), kGiveUpSeconds);
  double best = std::numeric_limits<double>::infinity();
  for (const uint32_t threads : candidates) {
    const double limit = std::min(kGiveUpFactor * std::max(best, kLeastSeconds), kGiveUpSeconds);
    double seconds = 0;
    uint32_t decodes = 0;
    while (seconds < kLeastSeconds) {
      const std::optional<double> one = decode(threads, limit - seconds);
      seconds = one ? seconds + *one : limit;
      if (one) ++decodes;
    }
    if (decodes > 0) best = std::min(best, seconds / decodes);
    rates.push_back({threads, decodes * static_cast<double>(tokens) / seconds});
  }
  return rates;
}

uint32_t choose_threads(const std::vector<ThreadRate>& rates, uint32_t in_use) {
  double best = 0;
  for (const ThreadRate& one : rates) best = std::max(best, one.tokens_per_second);
  if (best == 0) return in_use != 0 || rates.empty() ? std::max(in_use, 1U) : rates.front().threads;
  if (in_use != 0 && rate_of(rates, in_use) * kBetterBy >= best) return in_use;
  uint32_t fewest = std::numeric_limits<uint32_t>::max();
  for (const ThreadRate& one : rates) {
    if (one.tokens_per_second >= kGoodEnough * best) fewest = std::min(fewest, one.threads);
  }
  return fewest;
}

}  // namespace logit_audit
