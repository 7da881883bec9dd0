// What both kernels do alike: four logits in one load, a block's parts brought together, and keys that order
// logits with their ids.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>

#include "metrics/lane/power.h"

namespace logit_audit::metrics::cuda {

constexpr int kThreads = 256;
constexpr int kWarp = 32;
constexpr int kWarps = kThreads / kWarp;
// Logits of a load of 16 bytes.
constexpr int kVector = 4;
constexpr unsigned kAll = 0xffffffffU;

// A row seen as vectors that are aligned in memory; the row itself need not be.
struct Vectors {
  const float* row;
  int vocab;
  // Logits by which the first vector begins before the row.
  int before;
  int count;

  __device__ Vectors(const float* of, int length)
      : row(of),
        vocab(length),
        before(static_cast<int>((reinterpret_cast<uintptr_t>(of) / sizeof(float)) % kVector)),
        count((length + before + kVector - 1) / kVector) {}

  __device__ int first_id(int vector) const { return vector * kVector - before; }

  // Beyond the row it gives -inf and reads nothing. A row is read once: it need not stay in the caches.
  __device__ float4 load(int vector) const {
    const int id = first_id(vector);
    if (vector < count && id >= 0 && id + kVector <= vocab) {
      return __ldcs(reinterpret_cast<const float4*>(row + id));
    }
    const auto one = [&](int at) { return at >= 0 && at < vocab ? row[at] : -INFINITY; };
    if (vector >= count) return make_float4(-INFINITY, -INFINITY, -INFINITY, -INFINITY);
    return make_float4(one(id), one(id + 1), one(id + 2), one(id + 3));
  }
};

__device__ inline lane::Sum sum_below(lane::Sum sum, int distance) {
  return {__shfl_down_sync(kAll, sum.value, distance), __shfl_down_sync(kAll, sum.lost, distance)};
}

// Larger logits have larger keys; of equal ones the lower id has. No key is 0.
__device__ inline uint64_t key_of(float logit, int id) {
  // -0 and 0 are equal logits.
  const uint32_t bits = __float_as_uint(logit == 0.0F ? 0.0F : logit);
  const uint32_t ordered = (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
  return static_cast<uint64_t>(ordered) << 32 | (0xffffffffU - static_cast<uint32_t>(id));
}

__device__ inline float logit_of(uint64_t key) {
  const auto ordered = static_cast<uint32_t>(key >> 32);
  return __uint_as_float((ordered & 0x80000000U) != 0 ? ordered & 0x7fffffffU : ~ordered);
}

__device__ inline int id_of(uint64_t key) {
  return static_cast<int>(0xffffffffU - static_cast<uint32_t>(key));
}

// Sorts `count` keys, a power of two, largest first. All threads of the block.
__device__ inline void sort_keys(uint64_t* keys, int count) {
  for (int size = 2; size <= count; size *= 2) {
    for (int step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); i < count / 2; i += kThreads) {
        const int low = 2 * i - (i & (step - 1));
        const int high = low + step;
        const bool falling = (low & size) == 0;
        const uint64_t a = keys[low];
        const uint64_t b = keys[high];
        if ((a < b) == falling) {
          keys[low] = b;
          keys[high] = a;
        }
      }
    }
  }
  __syncthreads();
}

}  // namespace logit_audit::metrics::cuda
