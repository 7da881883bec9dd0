// The steps that both graphs are made of, over matrices of one column a row of logits. `width` is a multiple
// of kBlock: rows are padded, so that sums and searches go by blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "ggml.h"

namespace logit_audit::metrics::graph {

// Logits of a block: few enough that the float32 sum of one is exact to a digit or two, enough that the
// blocks of the longest vocabulary are few.
inline constexpr int64_t kBlock = 128;

// Stands for a masked token, and for a padded one: exp() of anything so far below a row's largest logit is 0.
inline constexpr float kFloor = -1048576.0F;
// Below every floor: what a search has taken already.
inline constexpr float kTaken = 2 * kFloor;

// How many multiples of a quarter the table of powers holds: exp of the last one is no float32 number above
// 0.
inline constexpr size_t kPowers = 512;

inline int64_t pad_vocab(int64_t vocab) { return (vocab + kBlock - 1) / kBlock * kBlock; }

// The largest values of each column, one after the other.
struct Selected {
  // [1, rows]: the value, and its place's number on the ramp.
  std::vector<ggml_tensor*> values;
  std::vector<ggml_tensor*> keys;
  // [rows], I32: its place in the column.
  std::vector<ggml_tensor*> places;
};

class Ops {
 public:
  explicit Ops(ggml_context* context) : c_(context) {}

  using T = ggml_tensor*;
  T add(T a, T b) const { return ggml_add(c_, a, b); }
  T sub(T a, T b) const { return ggml_sub(c_, a, b); }
  T mul(T a, T b) const { return ggml_mul(c_, a, b); }
  T exp(T a) const { return ggml_exp(c_, a); }
  T abs(T a) const { return ggml_abs(c_, a); }
  // 1 where a > 0, else 0.
  T step(T a) const { return ggml_step(c_, a); }
  T affine(T a, float factor, float plus) const { return ggml_scale_bias(c_, a, factor, plus); }
  T negative(T a) const { return ggml_scale(c_, a, -1); }
  T clamp(T a, float low, float high) const { return ggml_clamp(c_, a, low, high); }
  T matrix(T a, int64_t width, int64_t rows) const { return ggml_reshape_2d(c_, a, width, rows); }
  T cube(T a, int64_t x, int64_t y, int64_t z) const { return ggml_reshape_3d(c_, a, x, y, z); }

  // a where `where` is 1, b where it is 0: exactly, which a + (b - a) would not be.
  T choose(T where, T a, T b) const { return add(mul(where, a), mul(affine(where, -1, 1), b)); }

  // To the next quarter, halves to even: adding 3 * 2^20 leaves float32 no digits below it.
  T quarter(T a) const { return affine(affine(a, 1, kQuarters), 1, -kQuarters); }

  // c0 + c1 x + c2 x^2 ...
  T polynomial(T x, const std::vector<float>& coefficients) const;

  // Pads columns with what `mask` holds there: -inf. Without a mask there is nothing to pad.
  T pad(T z, T mask) const;

  // [width, rows] -> [1, rows], by blocks.
  T sum(T a) const;

  // places [n, rows] of I32 -> the values there, [n, rows].
  T gather(T a, T places) const;

  // exp of distances below 0 that are multiples of a quarter, to the last place: from a table of exp(-k / 4),
  // whose last number is 0 and stands for all beyond.
  T exp_of_quarters(T table, T distance) const;

  // Sets places [n, rows] of I32 to values [1, n, rows]; `a` itself changes.
  T scatter(T a, T values, T places) const;

  // The `count` largest of each column, of equal ones the first on the ramp, which falls from place to place:
  // a column for all, or one for each. `a` must have no other user: it changes.
  Selected select(T a, T ramp, size_t count) const;

  // The first dimension of one behind that of the other.
  T concat(const std::vector<T>& parts) const;

  ggml_context* context() const { return c_; }

 private:
  static constexpr float kQuarters = 3145728.0F;
  ggml_context* c_;
};

}  // namespace logit_audit::metrics::graph
