// Pair metrics on Metal: one group of threads a pair, one sweep over both rows, as cuda/pairs.cu. Never compiled nor
// run so far: docs/devices.md.
#include <metal_stdlib>

#include "metrics/lane/pairs.h"
#include "metrics/metal/arguments.h"
#include "metrics/metal/block.h"

using namespace logit_audit;
using namespace logit_audit::metal_kernels;

constant constexpr uint kFew = 4;
constant constexpr uint kMostMembers = 128;

static lane::PairLane lane_below(lane::PairLane lane, ushort distance) {
  lane.jsd = sum_below(lane.jsd, distance);
  lane.kl_pq = sum_below(lane.kl_pq, distance);
  lane.kl_qp = sum_below(lane.kl_qp, distance);
  lane.down = sum_below(lane.down, distance);
  lane.up = sum_below(lane.up, distance);
  lane.p = sum_below(lane.p, distance);
  lane.q = sum_below(lane.q, distance);
  lane.far = simd_shuffle_down(lane.far, distance);
  return lane;
}

kernel void logit_audit_pairs(device const float* logits_a [[buffer(0)]], device const float* logits_b [[buffer(1)]],
                              constant PairArguments& args [[buffer(2)]], device const int* rows_a [[buffer(3)]],
                              device const int* rows_b [[buffer(4)]],
                              device const lane::PairScale* scales [[buffer(5)]],
                              device const int* member_ids [[buffer(6)]], device float* all_out [[buffer(7)]],
                              uint pair [[threadgroup_position_in_grid]],
                              uint thread [[thread_index_in_threadgroup]]) {
  threadgroup int members[kMostMembers];
  threadgroup lane::PairLane lanes[kSimds];
  const uint vocab = args.vocab;
  device const float* a = logits_a + ulong(rows_a[pair]) * vocab;
  device const float* b = logits_b + ulong(rows_b[pair]) * vocab;
  device float* out = all_out + ulong(pair) * args.columns;
  const lane::PairScale scale = scales[pair];
  for (uint m = thread; m < args.members; m += kThreads) {
    const int id = member_ids[ulong(pair) * args.members + m];
    members[m] = id;
    out[8 + m] = a[id];
    out[8 + args.members + m] = b[id];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  lane::PairLane own = lane::empty_pair();
  for (uint first = thread * kFew; first < vocab; first += kThreads * kFew) {
    float x[kFew];
    float y[kFew];
    for (uint i = 0; i < kFew; ++i) {
      x[i] = first + i < vocab ? a[first + i] : -INFINITY;
      y[i] = first + i < vocab ? b[first + i] : -INFINITY;
    }
    for (uint m = 0; m < args.members; ++m) {
      const uint at = uint(members[m]) - first;
      if (at >= kFew) continue;
      // Masked on both sides it adds nothing.
      x[at] = -INFINITY;
      y[at] = -INFINITY;
    }
    lane::PairFew few = lane::no_pairs();
    for (uint i = 0; i < kFew; ++i) few = lane::add_pair(few, scale, x[i], y[i]);
    own = lane::add_few(own, few);
  }
  for (ushort distance = kSimd / 2; distance > 0; distance /= 2) own = lane::merge(own, lane_below(own, distance));
  if (thread % kSimd == 0) lanes[thread / kSimd] = own;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (thread != 0) return;
  lane::PairLane all = lanes[0];
  for (uint simd = 1; simd < kSimds; ++simd) all = lane::merge(all, lanes[simd]);
  out[0] = lane::total(all.jsd);
  out[1] = lane::total(all.kl_pq);
  out[2] = lane::total(all.kl_qp);
  out[3] = lane::total(all.down);
  out[4] = lane::total(all.up);
  out[5] = lane::total(all.p);
  out[6] = lane::total(all.q);
  out[7] = all.far;
}
