// Row metrics on Metal: one group of threads a row, one sweep, as cuda/rows.cu explains. Never compiled nor run so far:
// docs/devices.md. Compiled without fast math, which would undo what lane/power.h does.
#include <metal_stdlib>

#include "metrics/lane/rows.h"
#include "metrics/metal/arguments.h"
#include "metrics/metal/block.h"

using namespace logit_audit;
using namespace logit_audit::metal_kernels;

// Logits that a thread takes in one turn.
constant constexpr uint kFew = 4;
constant constexpr uint kTile = kThreads * kFew;
// Candidates above which a list is cut back to its best; a whole tile may come on top. A group has 32 KiB.
constant constexpr uint kCutAbove = 512;
constant constexpr uint kCandidates = 2048;

struct TopList {
  ulong keys[kCandidates];
  atomic_uint count;
  ulong bar;
};

static void cut_back(threadgroup TopList& list, uint top, uint thread) {
  threadgroup_barrier(mem_flags::mem_threadgroup);
  const uint count = atomic_load_explicit(&list.count, memory_order_relaxed);
  uint size = kThreads;
  while (size < count) size *= 2;
  for (uint i = count + thread; i < size; i += kThreads) list.keys[i] = 0;
  sort_keys(list.keys, size, thread);
  if (thread == 0) {
    list.bar = count >= top ? list.keys[top - 1] : 0;
    atomic_store_explicit(&list.count, min(count, top), memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
}

static lane::RowLane lane_below(lane::RowLane lane, ushort distance) {
  lane.max = simd_shuffle_down(lane.max, distance);
  lane.ties = simd_shuffle_down(lane.ties, distance);
  lane.rest = sum_below(lane.rest, distance);
  lane.weighted = sum_below(lane.weighted, distance);
  lane.bad = simd_shuffle_down(lane.bad, distance);
  return lane;
}

kernel void logit_audit_rows(device const float* logits [[buffer(0)]], constant RowArguments& args [[buffer(1)]],
                             device const int* group_ids [[buffer(2)]], device const int* group_offsets [[buffer(3)]],
                             device const int* targets [[buffer(4)]], device float* all_out [[buffer(5)]],
                             uint row_index [[threadgroup_position_in_grid]],
                             uint thread [[thread_index_in_threadgroup]]) {
  threadgroup TopList list;
  threadgroup lane::RowLane lanes[kSimds];
  threadgroup float parts[kSimds];
  const uint vocab = args.vocab;
  device const float* row = logits + ulong(row_index) * vocab;
  device float* out = all_out + ulong(row_index) * args.columns;
  device const int* own_targets = targets + ulong(row_index) * args.targets_per_row;

  if (thread == 0) atomic_store_explicit(&list.count, 0, memory_order_relaxed);
  lane::RowLane own = lane::empty_row();
  for (uint first = 0; first < vocab; first += kTile) {
    float z[kFew];
    float largest = -INFINITY;
    bool any_bad = false;
    for (uint i = 0; i < kFew; ++i) {
      const uint id = first + i * kThreads + thread;
      z[i] = id < vocab ? row[id] : -INFINITY;
      largest = fmax(largest, z[i]);
      any_bad = any_bad || !(z[i] < INFINITY);
    }
    if (any_bad) own.bad = 1.0F;
    if (largest > -INFINITY && !any_bad) {
      if (largest > own.max) own = lane::raise_max(own, largest);
      lane::RowFew few = lane::no_few(own.max);
      for (uint i = 0; i < kFew; ++i) few = lane::add_logit(few, z[i]);
      own = lane::add_few(own, few);
    }
    if (first == 0) {
      ulong best = 0;
      for (uint i = 0; i < kFew; ++i) {
        const uint id = i * kThreads + thread;
        if (id < vocab) best = max(best, key_of(z[i], id));
      }
      list.keys[thread] = best;
      sort_keys(list.keys, kThreads, thread);
      if (thread == 0) list.bar = list.keys[args.top - 1];
      threadgroup_barrier(mem_flags::mem_threadgroup);
    }
    const ulong bar = list.bar;
    for (uint i = 0; i < kFew; ++i) {
      const uint id = first + i * kThreads + thread;
      if (id >= vocab) continue;
      const ulong key = key_of(z[i], id);
      if (key >= bar) list.keys[atomic_fetch_add_explicit(&list.count, 1, memory_order_relaxed)] = key;
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (atomic_load_explicit(&list.count, memory_order_relaxed) > kCutAbove) cut_back(list, args.top, thread);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  cut_back(list, args.top, thread);

  for (ushort distance = kSimd / 2; distance > 0; distance /= 2) own = lane::merge(own, lane_below(own, distance));
  if (thread % kSimd == 0) lanes[thread / kSimd] = own;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  lane::RowLane all = lanes[0];
  for (uint simd = 1; simd < kSimds; ++simd) all = lane::merge(all, lanes[simd]);
  if (thread == 0) {
    out[0] = all.bad > 0 ? NAN : 0.0F;
    out[1] = all.ties > 0 ? all.max : -INFINITY;
    out[2] = float(vocab) - all.ties;
    out[3] = lane::total(all.rest);
    out[4] = lane::total(all.weighted);
  }
  device float* masses = out + 5;
  for (uint group = thread / kSimd; group < args.groups; group += kSimds) {
    lane::Sum mass = lane::sum_of(0.0F);
    for (int i = group_offsets[group] + int(thread % kSimd); i < group_offsets[group + 1]; i += int(kSimd)) {
      const float z = row[group_ids[i]];
      mass = lane::add(mass, lane::power(lane::distance(fmax(z, all.max + LA_FAR_BELOW), all.max)));
    }
    for (ushort distance = kSimd / 2; distance > 0; distance /= 2) mass = lane::add(mass, sum_below(mass, distance));
    if (thread % kSimd == 0) masses[group] = lane::total(mass);
  }
  device float* top = masses + args.groups;
  for (uint k = thread; k < args.top; k += kThreads) {
    top[k] = logit_of(list.keys[k]);
    top[args.top + k] = as_type<float>(id_of(list.keys[k]));
  }
  device float* of_targets = top + 2 * args.top;
  for (uint t = 0; t < args.targets_per_row; ++t) {
    const float target = row[own_targets[t]];
    float larger = 0;
    for (uint id = thread; id < vocab; id += kThreads) larger += row[id] > target ? 1.0F : 0.0F;
    larger = simd_sum(larger);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (thread % kSimd == 0) parts[thread / kSimd] = larger;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    if (thread != 0) continue;
    float sum = 0;
    for (uint simd = 0; simd < kSimds; ++simd) sum += parts[simd];
    of_targets[t] = target;
    of_targets[args.targets_per_row + t] = sum;
  }
}
