#include "metrics/graph/ops.h"

namespace logit_audit::metrics::graph {

ggml_tensor* Ops::polynomial(T x, const std::vector<float>& coefficients) const {
  size_t at = coefficients.size() - 1;
  T value = affine(x, coefficients[at], coefficients[at - 1]);
  for (--at; at > 0; --at) value = affine(mul(value, x), 1, coefficients[at - 1]);
  return value;
}

ggml_tensor* Ops::pad(T z, T mask) const {
  if (mask == nullptr) return z;
  return add(ggml_pad(c_, z, static_cast<int>(mask->ne[0] - z->ne[0]), 0, 0, 0), mask);
}

ggml_tensor* Ops::sum(T a) const {
  const int64_t blocks = a->ne[0] / kBlock;
  const int64_t rows = a->ne[1];
  T parts = ggml_sum_rows(c_, cube(a, kBlock, blocks, rows));
  if (blocks > 1) parts = ggml_sum_rows(c_, matrix(parts, blocks, rows));
  return matrix(parts, 1, rows);
}

ggml_tensor* Ops::gather(T a, T places) const {
  T found = ggml_get_rows(c_, cube(a, 1, a->ne[0], a->ne[1]), places);
  return matrix(found, places->ne[0], a->ne[1]);
}

ggml_tensor* Ops::exp_of_quarters(T table, T distance) const {
  T steps = clamp(affine(distance, -4, 0), 0, static_cast<float>(table->ne[0] - 1));
  T places = ggml_cast(c_, ggml_reshape_1d(c_, steps, ggml_nelements(steps)), GGML_TYPE_I32);
  T found = ggml_get_rows(c_, matrix(table, 1, table->ne[0]), places);
  return matrix(found, distance->ne[0], distance->ne[1]);
}

ggml_tensor* Ops::scatter(T a, T values, T places) const {
  T changed = ggml_set_rows(c_, cube(a, 1, a->ne[0], a->ne[1]), values, places);
  return matrix(changed, a->ne[0], a->ne[1]);
}

Selected Ops::select(T a, T ramp, size_t count) const {
  const int64_t rows = a->ne[1];
  const bool one_ramp = ramp->ne[1] == 1;
  Selected selected;
  T values = a;
  T negatives = negative(a);
  for (size_t k = 0; k < count; ++k) {
    // argmax gives any of equal ones, and which differs from backend to backend. Only the value is taken from
    // it; the place comes from a second argmax, over numbers that are all different.
    T largest = gather(values, matrix(ggml_argmax(c_, values), 1, rows));
    T equal = affine(step(add(negatives, largest)), -1, 1);
    T place = ggml_argmax(c_, mul(equal, ramp));
    T of_row = matrix(place, 1, rows);
    selected.values.push_back(largest);
    selected.places.push_back(place);
    selected.keys.push_back(one_ramp ? ggml_get_rows(c_, matrix(ramp, 1, ramp->ne[0]), place)
                                     : gather(ramp, of_row));
    if (k + 1 == count) break;
    T taken = cube(affine(largest, 0, kTaken), 1, 1, rows);
    values = scatter(values, taken, of_row);
    negatives = scatter(negatives, negative(taken), of_row);
  }
  return selected;
}

ggml_tensor* Ops::concat(const std::vector<T>& parts) const {
  std::vector<T> level = parts;
  while (level.size() > 1) {
    std::vector<T> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      next.push_back(ggml_concat(c_, level[i], level[i + 1], 0));
    }
    if (level.size() % 2 == 1) next.push_back(level.back());
    level = next;
  }
  return level.front();
}

}  // namespace logit_audit::metrics::graph
