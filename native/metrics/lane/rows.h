// What one lane (a thread of a device) gathers of a row, and how two lanes' parts become one: the largest
// logit so far, how many there are of it, and the sums over all below it. The largest stays out of the sums,
// so that a token that is all but certain keeps the digits of the others.
#pragma once

#include "metrics/lane/power.h"

namespace logit_audit {
namespace lane {

// Stands for "no logit yet"; any logit that counts is larger.
#define LA_NOTHING (-1e30F)
// exp() of anything farther below the largest logit is 0.
#define LA_FAR_BELOW (-150.0F)

struct RowLane {
  float max;
  // How many logits are equal to it.
  float ties;
  // Over the others: sum of exp(z - max), and of exp(z - max) (z - max).
  Sum rest;
  Sum weighted;
  // 1 where NaN or +inf was seen.
  float bad;
};

LA_LANE RowLane empty_row() { return RowLane{LA_NOTHING, 0.0F, sum_of(0.0F), sum_of(0.0F), 0.0F}; }

// The same lane, measured from a larger logit.
LA_LANE RowLane raise_max(RowLane lane, float max) {
  if (lane.ties == 0.0F) {
    lane.max = max;
    return lane;
  }
  Distance by = distance(lane.max, max);
  if (by.value < LA_FAR_BELOW) by = Distance{LA_FAR_BELOW, 0.0F};
  const float factor = power(by);
  lane.rest = add(lane.rest, lane.ties);
  lane.weighted = add(lane.weighted, by.value * total(lane.rest));
  lane.rest = scale(lane.rest, factor);
  lane.weighted = scale(lane.weighted, factor);
  lane.ties = 0.0F;
  lane.max = max;
  return lane;
}

// The sums of a few logits whose largest is `largest`: plain ones, they are few.
struct RowFew {
  float largest;
  float ties;
  float rest;
  float weighted;
  float bad;
};

LA_LANE RowFew no_few(float max) { return RowFew{max, 0.0F, 0.0F, 0.0F, 0.0F}; }

LA_LANE RowFew add_logit(RowFew few, float z) {
  few.bad = z < INFINITY ? few.bad : 1.0F;
  Distance by = distance(LA_MAX(z, few.largest + LA_FAR_BELOW), few.largest);
  const float p = power(by);
  const bool is_largest = z == few.largest;
  few.ties += is_largest ? 1.0F : 0.0F;
  few.rest += is_largest ? 0.0F : p;
  few.weighted = is_largest ? few.weighted : LA_FMA(p, by.value, few.weighted);
  return few;
}

// `few` was measured from the lane's own maximum.
LA_LANE RowLane add_few(RowLane lane, RowFew few) {
  lane.ties += few.ties;
  lane.rest = add(lane.rest, few.rest);
  lane.weighted = add(lane.weighted, few.weighted);
  lane.bad = LA_MAX(lane.bad, few.bad);
  return lane;
}

LA_LANE RowLane merge(RowLane a, RowLane b) {
  const float max = LA_MAX(a.max, b.max);
  if (a.max < max) a = raise_max(a, max);
  if (b.max < max) b = raise_max(b, max);
  a.ties += b.ties;
  a.rest = add(a.rest, b.rest);
  a.weighted = add(a.weighted, b.weighted);
  a.bad = LA_MAX(a.bad, b.bad);
  return a;
}

}  // namespace lane
}  // namespace logit_audit
