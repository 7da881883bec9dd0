// What one lane gathers of a pair of rows. The terms are those of graph/pairs.cpp, which says why they keep
// their digits: all of them of the larger of p and q, and of a = |ln(p/q)|.
#pragma once

#include "metrics/lane/power.h"

namespace logit_audit {
namespace lane {

// What all tokens of a pair are measured against.
struct PairScale {
  float reference_a;
  float reference_b;
  float inverse_a;
  float inverse_b;
  // The difference of the logsumexps beyond that of the references: quarters, and what is left.
  float shift_high;
  float shift_low;
};

// Sums of few tokens, plain, or of a lane's.
struct PairFew {
  float jsd, kl_pq, kl_qp, down, up, p, q, far;
};

struct PairLane {
  Sum jsd, kl_pq, kl_qp, down, up, p, q;
  float far;
};

LA_LANE PairFew no_pairs() { return PairFew{0, 0, 0, 0, 0, 0, 0, 0}; }

LA_LANE PairLane empty_pair() {
  const Sum zero = sum_of(0.0F);
  return PairLane{zero, zero, zero, zero, zero, zero, zero, 0.0F};
}

// (a - 1 + exp(-a)) / a^2 for a up to 1/2, by its series.
LA_LANE float beyond_linear(float a) {
  float g = -1.0F / 362880.0F;
  g = LA_FMA(g, a, 1.0F / 40320.0F);
  g = LA_FMA(g, a, -1.0F / 5040.0F);
  g = LA_FMA(g, a, 1.0F / 720.0F);
  g = LA_FMA(g, a, -1.0F / 120.0F);
  g = LA_FMA(g, a, 1.0F / 24.0F);
  g = LA_FMA(g, a, -1.0F / 6.0F);
  return LA_FMA(g, a, 0.5F);
}

// (x + (2 - x) ln(1 - x/2)) / x^2 for x from 0 to 1: the cpu kernels' fit.
LA_LANE float logarithm(float x) {
  float g = 7.5894416e-4F;
  g = LA_FMA(g, x, -7.653326e-4F);
  g = LA_FMA(g, x, 1.931234e-3F);
  g = LA_FMA(g, x, 2.7916893e-3F);
  g = LA_FMA(g, x, 1.047266e-2F);
  g = LA_FMA(g, x, 4.1663571e-2F);
  return LA_FMA(g, x, 0.25F);
}

LA_LANE PairFew add_pair(PairFew few, PairScale scale, float x, float y) {
  const float kFloor = -1048576.0F;
  const float kFarBelow = -1024.0F;
  const float kFarthest = 80.0F;
  const float kNear = 0.5F;
  x = LA_MAX(x, kFloor);
  y = LA_MAX(y, kFloor);
  const float quarter_a = quarter(x);
  const float quarter_b = quarter(y);
  const float low_a = x - quarter_a;
  const float low_b = y - quarter_b;
  const float high_a = LA_MAX(quarter_a - scale.reference_a, kFarBelow);
  const float high_b = LA_MAX(quarter_b - scale.reference_b, kFarBelow);
  const float ratio = (((high_a - high_b) - scale.shift_high) + (low_a - low_b)) - scale.shift_low;
  const bool p_larger = ratio > 0.0F;
  const float far = LA_ABS(ratio);
  few.far += far > kFarthest ? 1.0F : 0.0F;

  const float high = p_larger ? high_a : high_b;
  const float low = p_larger ? low_a : low_b;
  const float from = high + low;
  const float hi =
      power(Distance{from, low - (from - high)}) * (p_larger ? scale.inverse_a : scale.inverse_b);

  const float a = LA_MIN(far, kFarthest);
  const float v = power(Distance{-a, 0.0F});
  const bool near = a < kNear;
  const float near_lower = a * a * beyond_linear(LA_MIN(a, kNear));
  const float lost = near ? a - near_lower : 1.0F - v;
  const float to_lower = near ? near_lower : a - lost;
  const float to_higher = near ? LA_FMA(a, lost, -near_lower) : LA_FMA(-a, v, lost);
  const float moved = hi * lost;
  few.jsd = LA_FMA(hi, to_higher - lost * lost * logarithm(lost), few.jsd);
  few.kl_pq = LA_FMA(hi, p_larger ? to_lower : to_higher, few.kl_pq);
  few.kl_qp = LA_FMA(hi, p_larger ? to_higher : to_lower, few.kl_qp);
  few.down += p_larger ? moved : 0.0F;
  few.up += p_larger ? 0.0F : moved;
  few.p += p_larger ? hi : hi - moved;
  few.q += p_larger ? hi - moved : hi;
  return few;
}

LA_LANE PairLane add_few(PairLane lane, PairFew few) {
  lane.jsd = add(lane.jsd, few.jsd);
  lane.kl_pq = add(lane.kl_pq, few.kl_pq);
  lane.kl_qp = add(lane.kl_qp, few.kl_qp);
  lane.down = add(lane.down, few.down);
  lane.up = add(lane.up, few.up);
  lane.p = add(lane.p, few.p);
  lane.q = add(lane.q, few.q);
  lane.far += few.far;
  return lane;
}

LA_LANE PairLane merge(PairLane a, PairLane b) {
  a.jsd = add(a.jsd, b.jsd);
  a.kl_pq = add(a.kl_pq, b.kl_pq);
  a.kl_qp = add(a.kl_qp, b.kl_qp);
  a.down = add(a.down, b.down);
  a.up = add(a.up, b.up);
  a.p = add(a.p, b.p);
  a.q = add(a.q, b.q);
  a.far += b.far;
  return a;
}

}  // namespace lane
}  // namespace logit_audit
