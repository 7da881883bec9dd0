// What both Metal kernels do alike; the stems and the reasons are those of cuda/block.cuh. Never compiled nor
// run so far: docs/devices.md.
#pragma once

#include "metrics/lane/power.h"

namespace logit_audit {
namespace metal_kernels {

using namespace metal;

constant constexpr uint kThreads = 256;
constant constexpr uint kSimd = 32;
constant constexpr uint kSimds = kThreads / kSimd;

inline lane::Sum sum_below(lane::Sum sum, ushort distance) {
  return lane::Sum{simd_shuffle_down(sum.value, distance), simd_shuffle_down(sum.lost, distance)};
}

// Larger logits have larger keys; of equal ones the lower id has. No key is 0.
inline ulong key_of(float logit, uint id) {
  const uint bits = as_type<uint>(logit == 0.0F ? 0.0F : logit);
  const uint ordered = (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
  return (ulong(ordered) << 32) | ulong(0xffffffffU - id);
}

inline float logit_of(ulong key) {
  const uint ordered = uint(key >> 32);
  return as_type<float>((ordered & 0x80000000U) != 0 ? ordered & 0x7fffffffU : ~ordered);
}

inline uint id_of(ulong key) { return 0xffffffffU - uint(key); }

// Sorts `count` keys, a power of two, largest first. All threads of the group.
inline void sort_keys(threadgroup ulong* keys, uint count, uint thread) {
  for (uint size = 2; size <= count; size *= 2) {
    for (uint step = size / 2; step > 0; step /= 2) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      for (uint i = thread; i < count / 2; i += kThreads) {
        const uint low = 2 * i - (i & (step - 1));
        const uint high = low + step;
        const bool falling = (low & size) == 0;
        const ulong a = keys[low];
        const ulong b = keys[high];
        if ((a < b) == falling) {
          keys[low] = b;
          keys[high] = a;
        }
      }
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
}

}  // namespace metal_kernels
}  // namespace logit_audit
