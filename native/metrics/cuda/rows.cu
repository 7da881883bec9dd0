// One block a row, one sweep. Each thread keeps a lane (lane/rows.h) over vectors of four logits. Candidates
// for the top list are those at or above a bar, the list's last place so far: the first tile's best of each
// thread set it, and few logits pass it afterwards. They gather in shared memory and are sorted when there
// are many.
#include "metrics/cuda/block.cuh"
#include "metrics/cuda/rows.cuh"
#include "metrics/lane/rows.h"

namespace logit_audit::metrics::cuda {

namespace {

constexpr int kVectorsPerThread = 2;
constexpr int kTile = kThreads * kVectorsPerThread * kVector;
// Candidates above which a list is cut back to its best; a whole tile may come on top.
constexpr int kCutAbove = 512;
constexpr int kCandidates = 4096;
static_assert(kCutAbove + kTile <= kCandidates, "a tile of candidates must fit");

struct TopList {
  uint64_t keys[kCandidates];
  int count;
  // The last place of the list; 0 while there are too few for one.
  uint64_t bar;
};

// Keeps the best `top` and raises the bar.
__device__ void cut_back(TopList& list, int top) {
  __syncthreads();
  const int count = list.count;
  int size = kThreads;
  while (size < count) size *= 2;
  for (int i = count + static_cast<int>(threadIdx.x); i < size; i += kThreads) list.keys[i] = 0;
  sort_keys(list.keys, size);
  if (threadIdx.x == 0) {
    list.bar = count >= top ? list.keys[top - 1] : 0;
    list.count = count < top ? count : top;
  }
  __syncthreads();
}

__device__ lane::RowLane lane_below(lane::RowLane lane, int distance) {
  lane.max = __shfl_down_sync(kAll, lane.max, distance);
  lane.ties = __shfl_down_sync(kAll, lane.ties, distance);
  lane.rest = sum_below(lane.rest, distance);
  lane.weighted = sum_below(lane.weighted, distance);
  lane.bad = __shfl_down_sync(kAll, lane.bad, distance);
  return lane;
}

__device__ float sum_over_block(float value, float* parts) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    value += __shfl_down_sync(kAll, value, distance);
  __syncthreads();
  if (threadIdx.x % kWarp == 0) parts[threadIdx.x / kWarp] = value;
  __syncthreads();
  float sum = 0;
  for (int warp = 0; warp < kWarps; ++warp) sum += parts[warp];
  return sum;
}

__device__ lane::RowLane merge_block(lane::RowLane own, lane::RowLane* parts) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    own = lane::merge(own, lane_below(own, distance));
  if (threadIdx.x % kWarp == 0) parts[threadIdx.x / kWarp] = own;
  __syncthreads();
  lane::RowLane all = parts[0];
  for (int warp = 1; warp < kWarps; ++warp) all = lane::merge(all, parts[warp]);
  return all;
}

// Masses: a warp a group, lanes in turn, so that the order of summation is always the same.
__device__ void write_masses(const RowArgs& args, const float* row, float max, float* out) {
  const int warp = static_cast<int>(threadIdx.x) / kWarp;
  const int lane_id = static_cast<int>(threadIdx.x) % kWarp;
  for (int group = warp; group < args.groups; group += kWarps) {
    lane::Sum mass = lane::sum_of(0.0F);
    for (int i = args.group_offsets[group] + lane_id; i < args.group_offsets[group + 1]; i += kWarp) {
      const float z = row[args.group_ids[i]];
      mass = lane::add(mass, lane::power(lane::distance(fmaxf(z, max + LA_FAR_BELOW), max)));
    }
    for (int distance = kWarp / 2; distance > 0; distance /= 2)
      mass = lane::add(mass, sum_below(mass, distance));
    if (lane_id == 0) out[group] = lane::total(mass);
  }
}

__global__ void __launch_bounds__(kThreads) row_kernel(RowArgs args, int columns) {
  __shared__ TopList list;
  __shared__ lane::RowLane lanes[kWarps];
  __shared__ float parts[kWarps];
  const int thread = static_cast<int>(threadIdx.x);
  const size_t row_index = blockIdx.x;
  const float* row = args.logits + row_index * static_cast<size_t>(args.vocab);
  float* out = args.out + row_index * static_cast<size_t>(columns);
  const int32_t* targets = args.targets + row_index * static_cast<size_t>(args.targets_per_row);
  const float target = args.targets_per_row > 0 ? row[targets[0]] : INFINITY;
  const Vectors vectors(row, args.vocab);

  if (thread == 0) list.count = 0;
  lane::RowLane own = lane::empty_row();
  float larger = 0;
  for (int first = 0; first < vectors.count; first += kThreads * kVectorsPerThread) {
    float z[kVectorsPerThread * kVector];
    int ids[kVectorsPerThread];
    float largest = -INFINITY;
#pragma unroll
    for (int v = 0; v < kVectorsPerThread; ++v) {
      const int vector = first + v * kThreads + thread;
      const float4 four = vectors.load(vector);
      ids[v] = vectors.first_id(vector);
      z[v * kVector] = four.x;
      z[v * kVector + 1] = four.y;
      z[v * kVector + 2] = four.z;
      z[v * kVector + 3] = four.w;
      largest = fmaxf(largest, fmaxf(fmaxf(four.x, four.y), fmaxf(four.z, four.w)));
    }
    // A lane of masked logits alone has nothing to be measured from. fmaxf passes over NaN, and the sums do
    // not.
    bool any_bad = false;
#pragma unroll
    for (int i = 0; i < kVectorsPerThread * kVector; ++i) any_bad |= !(z[i] < INFINITY);
    if (any_bad) own.bad = 1.0F;
    if (largest > -INFINITY && !any_bad) {
      if (largest > own.max) own = lane::raise_max(own, largest);
      lane::RowFew few = lane::no_few(own.max);
#pragma unroll
      for (int i = 0; i < kVectorsPerThread * kVector; ++i) {
        few = lane::add_logit(few, z[i]);
        larger += z[i] > target ? 1.0F : 0.0F;
      }
      own = lane::add_few(own, few);
    }

    if (first == 0) {
      uint64_t best = 0;
#pragma unroll
      for (int i = 0; i < kVectorsPerThread * kVector; ++i) {
        const int id = ids[i / kVector] + i % kVector;
        if (id < 0 || id >= args.vocab) continue;
        const uint64_t key = key_of(z[i], id);
        best = key > best ? key : best;
      }
      list.keys[thread] = best;
      sort_keys(list.keys, kThreads);
      if (thread == 0) list.bar = list.keys[args.top - 1];
      __syncthreads();
    }
    const uint64_t bar = list.bar;
    const float bar_logit = bar == 0 ? -INFINITY : logit_of(bar);
#pragma unroll
    for (int i = 0; i < kVectorsPerThread * kVector; ++i) {
      if (!(z[i] >= bar_logit)) continue;
      const int id = ids[i / kVector] + i % kVector;
      if (id < 0 || id >= args.vocab) continue;
      const uint64_t key = key_of(z[i], id);
      if (key >= bar) list.keys[atomicAdd(&list.count, 1)] = key;
    }
    __syncthreads();
    if (list.count > kCutAbove) cut_back(list, args.top);
    // No thread counts further while another still reads the count.
    __syncthreads();
  }
  cut_back(list, args.top);
  const lane::RowLane all = merge_block(own, lanes);
  const float rank = sum_over_block(larger, parts);

  if (thread == 0) {
    out[0] = all.bad > 0 ? NAN : 0.0F;
    out[1] = all.ties > 0 ? all.max : -INFINITY;
    out[2] = static_cast<float>(args.vocab) - all.ties;
    out[3] = lane::total(all.rest);
    out[4] = lane::total(all.weighted);
  }
  float* masses = out + 5;
  write_masses(args, row, all.max, masses);
  float* top = masses + args.groups;
  for (int k = thread; k < args.top; k += kThreads) {
    top[k] = logit_of(list.keys[k]);
    top[args.top + k] = __int_as_float(id_of(list.keys[k]));
  }
  float* of_targets = top + 2 * args.top;
  for (int t = thread; t < args.targets_per_row; t += kThreads) of_targets[t] = row[targets[t]];
  if (thread == 0 && args.targets_per_row > 0) of_targets[args.targets_per_row] = rank;
}

// How many logits are larger than a row's second target, third ...
__global__ void __launch_bounds__(kThreads) larger_kernel(RowArgs args, int columns) {
  __shared__ float parts[kWarps];
  const size_t row_index = blockIdx.x;
  const int t = static_cast<int>(blockIdx.y) + 1;
  const float* row = args.logits + row_index * static_cast<size_t>(args.vocab);
  const float target = row[args.targets[row_index * static_cast<size_t>(args.targets_per_row) + t]];
  const Vectors vectors(row, args.vocab);
  float larger = 0;
  for (int vector = static_cast<int>(threadIdx.x); vector < vectors.count; vector += kThreads) {
    const float4 z = vectors.load(vector);
    larger += (z.x > target ? 1.0F : 0.0F) + (z.y > target ? 1.0F : 0.0F) + (z.z > target ? 1.0F : 0.0F) +
              (z.w > target ? 1.0F : 0.0F);
  }
  const float rank = sum_over_block(larger, parts);
  if (threadIdx.x != 0) return;
  float* out = args.out + row_index * static_cast<size_t>(columns);
  out[5 + args.groups + 2 * args.top + args.targets_per_row + t] = rank;
}

}  // namespace

cudaError_t launch_rows(const RowArgs& args, cudaStream_t stream) {
  const int columns = row_columns(args);
  const auto rows = static_cast<unsigned>(args.rows);
  row_kernel<<<rows, kThreads, 0, stream>>>(args, columns);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess || args.targets_per_row < 2) return error;
  larger_kernel<<<dim3(rows, static_cast<unsigned>(args.targets_per_row - 1)), kThreads, 0, stream>>>(
      args, columns);
  return cudaGetLastError();
}

}  // namespace logit_audit::metrics::cuda
