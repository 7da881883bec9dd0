// Is the work slower than it was? Decode calls are held against the best of their own kind, which is their
// size and how much lies before them, both in powers of two: texts differ, and a step of generation is no
// prompt. Pure: no clock, so that it can be tested.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

namespace logit_audit {

enum class Verdict { kTooShort, kSteady, kSlow };

class Pace {
 public:
  // A decode call of `tokens` tokens behind `before` others took `seconds`.
  void add(size_t tokens, size_t before, double seconds);
  // Judges what came since the last verdict, once it is a stretch of 0.25 s: slow where it took more than
  // twice what it would have at the best rates of its kinds. Then it counts towards those.
  Verdict judge();
  // From now on `rate`, in tokens a second, is the best of calls of `tokens` tokens, and of others none is
  // known.
  void restart(size_t tokens, double rate);

 private:
  using Kind = std::pair<uint32_t, uint32_t>;
  struct Work {
    double tokens = 0;
    double seconds = 0;
  };
  std::map<Kind, Work> stretch_;
  double seconds_ = 0;
  std::map<Kind, double> best_;
};

}  // namespace logit_audit
