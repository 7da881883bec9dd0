// One block a pair, one sweep over both rows. Rows of a pair are as a rule a vocabulary apart, so that both
// are aligned alike or not; where they are not, the second is read logit by logit.
#include "metrics/cuda/block.cuh"
#include "metrics/cuda/pairs.cuh"

namespace logit_audit::metrics::cuda {

namespace {

// Bits that say whether a vector may hold a member: few members in many vectors, so that next to none must
// look through the list of members.
constexpr int kFilterBits = 4096;
constexpr int kFilterWords = kFilterBits / 32;

__device__ lane::PairLane lane_below(lane::PairLane lane, int distance) {
  lane.jsd = sum_below(lane.jsd, distance);
  lane.kl_pq = sum_below(lane.kl_pq, distance);
  lane.kl_qp = sum_below(lane.kl_qp, distance);
  lane.down = sum_below(lane.down, distance);
  lane.up = sum_below(lane.up, distance);
  lane.p = sum_below(lane.p, distance);
  lane.q = sum_below(lane.q, distance);
  lane.far = __shfl_down_sync(kAll, lane.far, distance);
  return lane;
}

__global__ void __launch_bounds__(kThreads) pair_kernel(PairArgs args, int columns) {
  __shared__ int32_t members[kMostMembers];
  __shared__ uint32_t filter[kFilterWords];
  __shared__ lane::PairLane lanes[kWarps];
  const int thread = static_cast<int>(threadIdx.x);
  const size_t pair = blockIdx.x;
  const auto width = static_cast<size_t>(args.vocab);
  const float* a = args.logits_a + static_cast<size_t>(args.rows_a[pair]) * width;
  const float* b = args.logits_b + static_cast<size_t>(args.rows_b[pair]) * width;
  float* out = args.out + pair * static_cast<size_t>(columns);
  const lane::PairScale scale = args.scales[pair];
  const Vectors of_a(a, args.vocab);
  const Vectors of_b(b, args.vocab);
  const bool alike = of_a.before == of_b.before;

  for (int i = thread; i < kFilterWords; i += kThreads) filter[i] = 0;
  __syncthreads();
  for (int m = thread; m < args.members; m += kThreads) {
    const int id = args.member_ids[pair * static_cast<size_t>(args.members) + m];
    members[m] = id;
    out[8 + m] = a[id];
    out[8 + args.members + m] = b[id];
    const int bit = (id + of_a.before) / kVector % kFilterBits;
    atomicOr(&filter[bit / 32], 1U << (bit % 32));
  }
  __syncthreads();

  lane::PairLane own = lane::empty_pair();
  for (int vector = thread; vector < of_a.count; vector += kThreads) {
    const int id = of_a.first_id(vector);
    const float4 four_a = of_a.load(vector);
    float x[kVector] = {four_a.x, four_a.y, four_a.z, four_a.w};
    float y[kVector];
    if (alike) {
      const float4 four_b = of_b.load(vector);
      y[0] = four_b.x;
      y[1] = four_b.y;
      y[2] = four_b.z;
      y[3] = four_b.w;
    } else {
#pragma unroll
      for (int i = 0; i < kVector; ++i)
        y[i] = id + i >= 0 && id + i < args.vocab ? __ldcs(b + id + i) : -INFINITY;
    }
    const int bit = vector % kFilterBits;
    if ((filter[bit / 32] >> (bit % 32) & 1U) != 0) {
      for (int m = 0; m < args.members; ++m) {
        const int at = members[m] - id;
#pragma unroll
        for (int i = 0; i < kVector; ++i) {
          if (at != i) continue;
          // Masked on both sides it adds nothing.
          x[i] = -INFINITY;
          y[i] = -INFINITY;
        }
      }
    }
    lane::PairFew few = lane::no_pairs();
#pragma unroll
    for (int i = 0; i < kVector; ++i) few = lane::add_pair(few, scale, x[i], y[i]);
    own = lane::add_few(own, few);
  }

  for (int distance = kWarp / 2; distance > 0; distance /= 2)
    own = lane::merge(own, lane_below(own, distance));
  if (thread % kWarp == 0) lanes[thread / kWarp] = own;
  __syncthreads();
  if (thread != 0) return;
  lane::PairLane all = lanes[0];
  for (int warp = 1; warp < kWarps; ++warp) all = lane::merge(all, lanes[warp]);
  out[0] = lane::total(all.jsd);
  out[1] = lane::total(all.kl_pq);
  out[2] = lane::total(all.kl_qp);
  out[3] = lane::total(all.down);
  out[4] = lane::total(all.up);
  out[5] = lane::total(all.p);
  out[6] = lane::total(all.q);
  out[7] = all.far;
}

}  // namespace

cudaError_t launch_pairs(const PairArgs& args, cudaStream_t stream) {
  pair_kernel<<<static_cast<unsigned>(args.pairs), kThreads, 0, stream>>>(args, pair_columns(args));
  return cudaGetLastError();
}

}  // namespace logit_audit::metrics::cuda
