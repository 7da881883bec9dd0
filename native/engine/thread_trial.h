// Which number of threads is the right one here and now: each of a few is timed at the same work. Pure: what
// times them is given, so that it can be tested.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace logit_audit {

struct ThreadRate {
  uint32_t threads = 0;
  // 0: given up, having taken too long.
  double tokens_per_second = 0;
};

// Half of the cores, one, all, without repetition: half is never far off, and the limits of the others come
// from the first.
std::vector<uint32_t> thread_candidates(uint32_t cores);

// Decodes once on so many threads, gives up after `limit` seconds, and gives the seconds it took, or nothing.
using DecodeOnce = std::function<std::optional<double>(uint32_t threads, double limit)>;

// Times every candidate after a decode to warm up, until each has 25 ms or one decode, whichever is longer.
// One that has taken twice what the best before it needs is given up; the first, after 10 s.
std::vector<ThreadRate> time_candidates(const std::vector<uint32_t>& candidates, size_t tokens,
                                        const DecodeOnce& decode);

// The fewest threads that come within a tenth of the best. Where there is a number in use (not 0), it stays
// unless another is better by a sixth: a trial or two of luck is no reason to change. Of rates that are all
// 0: what is in use, or the first.
uint32_t choose_threads(const std::vector<ThreadRate>& rates, uint32_t in_use);

}  // namespace logit_audit
