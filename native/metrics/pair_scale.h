#pragma once

#include <cmath>

#include "metrics/kernels.h"
#include "metrics/lane/pairs.h"

namespace logit_audit::metrics {

// How the sums of a pair are scaled, wherever they are taken.
inline lane::PairScale scale_of(const PairSide& a, const PairSide& b) {
  const double shift = a.log_sum - b.log_sum;
  const double high = std::nearbyint(4 * shift) / 4;
  return {a.reference,
          b.reference,
          static_cast<float>(std::exp(-a.log_sum)),
          static_cast<float>(std::exp(-b.log_sum)),
          static_cast<float>(high),
          static_cast<float>(shift - high)};
}

}  // namespace logit_audit::metrics
