// Everything is made of the larger of p and q, `hi`, and of a = |ln(p/q)|, which comes from the logits and
// not from p and q, as in the cpu kernels (crates/metrics/src/simd/pair_loop.rs): with v = exp(-a) and x = 1
// - v,
//   |p - q| = hi x;  KL from larger to smaller hi (a - 1 + v), from smaller to larger hi (1 - v - a v);
//   JSD hi ((1 - v - a v) - B(x)) / 2, B(x) = x + (2 - x) ln(1 - x/2).
#include "metrics/graph/pairs.h"

#include <algorithm>

#include "metrics/pair_scale.h"

namespace logit_audit::metrics::graph {

namespace {

using T = ggml_tensor*;

constexpr size_t kNodes = 1024;

// Logits so far below their row's largest have a probability of 0, masked ones among them.
constexpr float kFarBelow = -1024.0F;
// The largest a for which the sums hold.
constexpr float kFarthest = 80.0F;
// Up to here 1 - exp(-a) and its likes come from a series, above from exp.
constexpr float kNear = 0.5F;

// (a - 1 + exp(-a)) / a^2 for a up to kNear: 1/2! - a/3! + a^2/4! ...
const std::vector<float> kBeyondLinear = {1.0F / 2,   -1.0F / 6,    1.0F / 24,    -1.0F / 120,
                                          1.0F / 720, -1.0F / 5040, 1.0F / 40320, -1.0F / 362880};
// B(x) / x^2 for x from 0 to 1: the cpu kernels' fit.
const std::vector<float> kLogarithm = {0.25F,        4.1663571e-2F, 1.047266e-2F, 2.7916893e-3F,
                                       1.931234e-3F, -7.653326e-4F, 7.5894416e-4F};

// One side: logits over their reference in two parts, and probabilities.
struct Side {
  T high;
  T low;
  T probability;
  T members = nullptr;
};

// What the host gives of each side and each pair, a number a pair.
struct Numbers {
  std::vector<float> reference_a, reference_b, inverse_a, inverse_b, shift_high, shift_low;
};

Numbers numbers_of(const PairBatch& batch) {
  Numbers n;
  for (size_t i = 0; i < batch.count(); ++i) {
    const lane::PairScale scale = scale_of(batch.a[i], batch.b[i]);
    n.reference_a.push_back(scale.reference_a);
    n.reference_b.push_back(scale.reference_b);
    n.inverse_a.push_back(scale.inverse_a);
    n.inverse_b.push_back(scale.inverse_b);
    n.shift_high.push_back(scale.shift_high);
    n.shift_low.push_back(scale.shift_low);
  }
  return n;
}

Side make_side(const Ops& ops, const Runner& runner, T logits, T reference, T inverse, T members, T floor) {
  Side side;
  T whole = ops.pad(logits, runner.mask());
  T z = ops.clamp(whole, kFloor, -kFloor);
  if (members != nullptr) {
    side.members = ops.gather(whole, members);
    z = ops.scatter(z, floor, members);
  }
  T quarter = ops.quarter(z);
  side.low = ops.sub(z, quarter);
  side.high = ops.clamp(ops.sub(quarter, reference), kFarBelow, -kFarBelow);
  side.probability = ops.mul(ops.mul(ops.exp(side.high), ops.exp(side.low)), inverse);
  return side;
}

}  // namespace

PairSums pair_sums(Runner& runner, const PairBatch& batch) {
  const auto pairs = static_cast<int64_t>(batch.count());
  const auto count = static_cast<int64_t>(batch.members);
  Runner::Draft draft(kNodes);
  const Ops ops(draft.context());
  const Numbers n = numbers_of(batch);
  const auto per_pair = [&](const std::vector<float>& values) { return draft.input(values, {1, pairs}); };
  const auto rows_of = [&](const ggml_tensor* tensor, const std::vector<int32_t>& rows) {
    T all = draft.leaf(*tensor, 0, static_cast<size_t>(tensor->ne[1]));
    return ggml_get_rows(ops.context(), all, draft.input(rows, {pairs}));
  };
  T members = nullptr;
  T floor = nullptr;
  if (count > 0) {
    members = draft.input(batch.member_ids, {count, pairs});
    floor = draft.input(std::vector<float>(batch.member_ids.size(), kFloor), {1, count, pairs});
  }
  const Side a = make_side(ops, runner, rows_of(batch.tensor_a, batch.rows_a), per_pair(n.reference_a),
                           per_pair(n.inverse_a), members, floor);
  const Side b = make_side(ops, runner, rows_of(batch.tensor_b, batch.rows_b), per_pair(n.reference_b),
                           per_pair(n.inverse_b), members, floor);

  // ln(p/q). Quarters are exact, and where logits are all but equal so is everything up to the last step.
  T quarters = ops.sub(ops.sub(a.high, b.high), per_pair(n.shift_high));
  T ratio = ops.sub(ops.add(quarters, ops.sub(a.low, b.low)), per_pair(n.shift_low));
  T p_larger = ops.step(ratio);
  T far = ops.abs(ratio);
  T is_far = ops.step(ops.affine(far, 1, -kFarthest));
  T hi = ops.choose(p_larger, a.probability, b.probability);

  T apart = ops.clamp(far, 0, kFarthest);
  T decay = ops.exp(ops.negative(apart));
  T close = ops.clamp(apart, 0, kNear);
  T is_near = ops.step(ops.affine(ops.negative(apart), 1, kNear));
  T near_lower = ops.mul(ops.mul(close, close), ops.polynomial(close, kBeyondLinear));
  T near_lost = ops.sub(close, near_lower);
  T near_higher = ops.sub(ops.mul(close, near_lost), near_lower);
  T far_lost = ops.affine(decay, -1, 1);
  T far_lower = ops.sub(apart, far_lost);
  T far_higher = ops.sub(far_lost, ops.mul(apart, decay));
  T lost = ops.choose(is_near, near_lost, far_lost);
  T to_lower = ops.choose(is_near, near_lower, far_lower);
  T to_higher = ops.choose(is_near, near_higher, far_higher);
  T logarithm = ops.mul(ops.mul(lost, lost), ops.polynomial(lost, kLogarithm));

  T distance = ops.mul(hi, lost);
  std::vector<T> out = {
      ops.sum(ops.mul(hi, ops.sub(to_higher, logarithm))),
      ops.sum(ops.mul(hi, ops.choose(p_larger, to_lower, to_higher))),
      ops.sum(ops.mul(hi, ops.choose(p_larger, to_higher, to_lower))),
      ops.sum(ops.mul(p_larger, distance)),
      ops.sum(ops.mul(ops.affine(p_larger, -1, 1), distance)),
      ops.sum(a.probability),
      ops.sum(b.probability),
      ops.sum(is_far),
  };
  if (count > 0) {
    out.push_back(a.members);
    out.push_back(b.members);
  }
  const std::vector<float> values = runner.run(draft, ops.concat(out));

  PairSums sums;
  const size_t stride = values.size() / batch.count();
  for (size_t i = 0; i < batch.count(); ++i) {
    const float* of_pair = values.data() + i * stride;
    size_t at = 0;
    for (std::vector<float>* column :
         {&sums.jsd, &sums.kl_pq, &sums.kl_qp, &sums.down, &sums.up, &sums.p, &sums.q, &sums.far}) {
      column->push_back(of_pair[at++]);
    }
    for (std::vector<float>* column : {&sums.member_logits_a, &sums.member_logits_b}) {
      column->insert(column->end(), of_pair + at, of_pair + at + batch.members);
      at += batch.members;
    }
  }
  return sums;
}

}  // namespace logit_audit::metrics::graph
