// Sums and exponentials that keep their digits in float32. No compiler may rearrange them: fast-math options
// are off wherever this is compiled.
#pragma once

#include "metrics/lane/language.h"

namespace logit_audit {
namespace lane {

// A sum, and what rounding took from it.
struct Sum {
  float value;
  float lost;
};

LA_LANE Sum sum_of(float value) { return Sum{value, 0.0F}; }

LA_LANE float total(Sum sum) { return sum.value + sum.lost; }

// Knuth's exact addition; the rounding errors are summed apart.
LA_LANE Sum add(Sum sum, float value) {
  const float next = sum.value + value;
  const float part = next - sum.value;
  const float lost = (sum.value - (next - part)) + (value - part);
  return Sum{next, sum.lost + lost};
}

LA_LANE Sum add(Sum a, Sum b) {
  const Sum sum = add(a, b.value);
  return Sum{sum.value, sum.lost + b.lost};
}

LA_LANE Sum scale(Sum sum, float factor) { return Sum{sum.value * factor, sum.lost * factor}; }

// A difference, and what rounding took from it.
struct Distance {
  float value;
  float lost;
};

LA_LANE Distance distance(float z, float from) {
  const float value = z - from;
  const float part = value - z;
  return Distance{value, (z - (value - part)) - (from + part)};
}

// exp(value + lost) for a small `lost`. The product with log2(e) is taken in two parts, because its rounding
// would be multiplied by the exponent's size.
LA_LANE float power(Distance by) {
  const float kLog2E = 1.44269504F;
  const float kLog2ERest = 1.92596299e-8F;
  const float kLn2 = 0.693147181F;
  const float exponent = by.value * kLog2E;
  float rest = LA_FMA(by.value, kLog2E, -exponent);
  rest = LA_FMA(by.value, kLog2ERest, rest);
  rest = LA_FMA(by.lost, kLog2E, rest);
  const float e = LA_EXP2(exponent);
  return LA_FMA(e * kLn2, rest, e);
}

// To the next quarter, halves to even, for |z| up to 2^20.
LA_LANE float quarter(float z) {
  const float kNoDigitsBelow = 3145728.0F;
  return (z + kNoDigitsBelow) - kNoDigitsBelow;
}

}  // namespace lane
}  // namespace logit_audit
