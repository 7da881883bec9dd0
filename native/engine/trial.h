// What is asked of a device before it is trusted with a model's logits: every kind of number, of two of its
// rows, against what the cpu kernels make of them.
#pragma once

#include <array>
#include <string>

#include "metrics/metrics.h"

namespace logit_audit {

// Equal ones, infinite ones among them, have no distance; below 1 the tolerance is absolute.
bool near(double a, double b, double tolerance);

using TrialRows = std::array<metrics::Row, 2>;

// The first number that `reducer` gives otherwise for `rows` than `reference` for `copies` of them, by its
// name; empty without one. Throws what a row's fault or a reducer is.
std::string first_difference(const metrics::Reducer& reducer, const TrialRows& rows,
                             const metrics::Reducer& reference, const TrialRows& copies, size_t vocab);

}  // namespace logit_audit
