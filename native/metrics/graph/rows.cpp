#include "metrics/graph/rows.h"

#include <algorithm>
#include <cmath>

#include "metrics/columns.h"

namespace logit_audit::metrics::graph {

namespace {

using T = ggml_tensor*;

// Each step of a search makes about forty nodes, everything else some hundred.
constexpr size_t kNodes = 512;
constexpr size_t kNodesPerStep = 64;

// The largest `top` logits of each row, by way of blocks: only the blocks with the largest maxima can hold
// them. Among equal maxima the lower block is taken, so that of equal logits the lower ids win.
Selected top_logits(const Ops& ops, const Runner& runner, T z, size_t top) {
  const int64_t width = z->ne[0];
  const int64_t rows = z->ne[1];
  const int64_t blocks = width / kBlock;
  const auto few = static_cast<int64_t>(top);
  // Searches write into what they search.
  if (blocks <= few) return ops.select(ops.affine(z, 1, 0), runner.ramp(), top);
  T by_block = ops.matrix(z, kBlock, blocks * rows);
  T maxima = ops.matrix(
      ops.gather(by_block, ops.matrix(ggml_argmax(ops.context(), by_block), 1, blocks * rows)), blocks, rows);
  T block_ramp = ggml_view_1d(ops.context(), runner.ramp(), blocks, 0);
  const Selected best = ops.select(maxima, block_ramp, top);
  T z_blocks = ops.cube(z, kBlock, blocks, rows);
  T ramp_blocks = ops.matrix(runner.ramp(), kBlock, blocks);
  std::vector<T> candidates;
  std::vector<T> ramps;
  for (T place : best.places) {
    T found = ggml_get_rows(ops.context(), z_blocks, ops.matrix(place, 1, rows));
    candidates.push_back(ops.matrix(found, kBlock, rows));
    ramps.push_back(ggml_get_rows(ops.context(), ramp_blocks, place));
  }
  return ops.select(ops.concat(candidates), ops.concat(ramps), top);
}

// Of one place of every row's targets.
std::vector<int32_t> nth_targets(const RowBatch& batch, size_t n) {
  std::vector<int32_t> ids;
  for (size_t row = 0; row < batch.count; ++row)
    ids.push_back(batch.targets[row * batch.targets_per_row + n]);
  return ids;
}

}  // namespace

RowSums row_sums(Runner& runner, const RowBatch& batch) {
  const auto rows = static_cast<int64_t>(batch.count);
  Runner::Draft draft(kNodes + kNodesPerStep * (batch.top + batch.targets_per_row));
  const Ops ops(draft.context());
  T logits = draft.leaf(*batch.tensor, batch.first, batch.count);
  T mask = runner.mask();
  // NaN and +inf are looked for before anything is cut off: padding is 0 here.
  T raw = mask == nullptr
              ? logits
              : ggml_pad(ops.context(), logits, static_cast<int>(mask->ne[0] - logits->ne[0]), 0, 0, 0);
  T check = ops.sum(raw);
  T whole = mask == nullptr ? raw : ops.add(raw, mask);
  T z = ops.clamp(whole, kFloor, -kFloor);

  const Selected top = top_logits(ops, runner, z, batch.top);
  T max = top.values.front();

  // Every logit as a multiple of a quarter and what is left. The difference of the first parts is exact, that
  // of the second small, so that exp(z - max) loses no digits to the subtraction.
  T high = ops.quarter(z);
  T low = ops.sub(z, high);
  T max_high = ops.quarter(max);
  T distance = ops.sub(high, max_high);
  T power = ops.mul(ops.exp(distance), ops.exp(low));
  T is_below = ops.step(ops.add(ops.negative(z), max));
  T rest = ops.mul(power, is_below);
  T from_max = ops.add(distance, ops.sub(low, ops.sub(max, max_high)));

  std::vector<T> out = {check, max, ops.sum(is_below), ops.sum(rest), ops.sum(ops.mul(rest, from_max))};
  const size_t groups = batch.groups == nullptr ? 0 : batch.groups->groups();
  if (groups > 0 && !batch.groups->group_ids.empty()) {
    const std::vector<int32_t>& ids = batch.groups->group_ids;
    std::vector<int32_t> of_all;
    for (size_t row = 0; row < batch.count; ++row) of_all.insert(of_all.end(), ids.begin(), ids.end());
    T places = draft.input(of_all, {static_cast<int64_t>(ids.size()), rows});
    T member = ops.gather(z, places);
    T member_high = ops.quarter(member);
    // From a table: what a device's exp loses for a small probability shows in a mass, which may be made of
    // small ones alone. Vulkan allows (3 + 2 |x|) units in the last place, CUDA's fast exp about as many.
    T powers = ops.mul(ops.exp_of_quarters(runner.powers(), ops.sub(member_high, max_high)),
                       ops.exp(ops.sub(member, member_high)));
    for (size_t g = 0; g < groups; ++g) {
      const size_t begin = batch.groups->group_offsets[g];
      const size_t size = batch.groups->group_offsets[g + 1] - begin;
      if (size == 0) continue;
      T of_group = ggml_view_2d(ops.context(), powers, static_cast<int64_t>(size), rows, powers->nb[1],
                                begin * sizeof(float));
      out.push_back(ggml_sum_rows(ops.context(), of_group));
    }
  }
  out.insert(out.end(), top.values.begin(), top.values.end());
  for (T key : top.keys) out.push_back(ops.matrix(key, 1, rows));
  for (size_t n = 0; n < batch.targets_per_row; ++n) {
    T target = ops.gather(whole, draft.input(nth_targets(batch, n), {1, rows}));
    out.push_back(target);
    out.push_back(ops.sum(ops.step(ops.sub(z, ops.clamp(target, kFloor, -kFloor)))));
  }

  const std::vector<float> values = runner.run(draft, ops.concat(out));
  Columns columns(values, values.size() / batch.count);
  RowSums sums;
  sums.check = columns.next();
  sums.max = columns.next();
  sums.below = columns.next();
  sums.rest = columns.next();
  sums.weighted = columns.next();
  const auto padding = static_cast<float>(pad_vocab(static_cast<int64_t>(runner.vocab()))) -
                       static_cast<float>(runner.vocab());
  std::vector<double> scale;
  for (size_t row = 0; row < batch.count; ++row) {
    // The graph measures from the largest logit's quarter, everyone else from the largest logit.
    const double m = static_cast<double>(sums.max[row]);
    scale.push_back(std::exp(std::nearbyint(4 * m) / 4 - m));
    sums.below[row] -= padding;
    sums.rest[row] = static_cast<float>(static_cast<double>(sums.rest[row]) * scale[row]);
    sums.weighted[row] = static_cast<float>(static_cast<double>(sums.weighted[row]) * scale[row]);
  }
  sums.masses.assign(batch.count * groups, 0);
  for (size_t g = 0; g < groups; ++g) {
    if (batch.groups->group_offsets[g + 1] == batch.groups->group_offsets[g]) continue;
    const std::vector<float> mass = columns.next();
    for (size_t row = 0; row < batch.count; ++row) {
      sums.masses[row * groups + g] = static_cast<float>(static_cast<double>(mass[row]) * scale[row]);
    }
  }
  sums.top_logits = columns.next(batch.top);
  const auto width = static_cast<float>(pad_vocab(static_cast<int64_t>(runner.vocab())));
  for (const float key : columns.next(batch.top)) sums.top_ids.push_back(static_cast<int32_t>(width - key));
  sums.target_logits.resize(batch.count * batch.targets_per_row);
  sums.larger.resize(batch.count * batch.targets_per_row);
  for (size_t n = 0; n < batch.targets_per_row; ++n) {
    const std::vector<float> logit = columns.next();
    const std::vector<float> larger = columns.next();
    for (size_t row = 0; row < batch.count; ++row) {
      sums.target_logits[row * batch.targets_per_row + n] = logit[row];
      sums.larger[row * batch.targets_per_row + n] = larger[row];
    }
  }
  return sums;
}

}  // namespace logit_audit::metrics::graph
