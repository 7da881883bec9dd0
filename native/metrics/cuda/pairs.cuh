// The kernel of pair metrics.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "metrics/lane/pairs.h"

namespace logit_audit::metrics::cuda {

// Pointers are the device's.
struct PairArgs {
  // The first rows of both tensors; rows lie `vocab` floats apart.
  const float* logits_a;
  const float* logits_b;
  int pairs;
  int vocab;
  const int32_t* rows_a;
  const int32_t* rows_b;
  const lane::PairScale* scales;
  // `members` ids of each pair, which no sum takes in.
  const int32_t* member_ids;
  int members;
  // pairs x pair_columns(): jsd, kl_pq, kl_qp, down, up, p, q, far, the members' logits in a, in b.
  float* out;
};

inline int pair_columns(const PairArgs& args) { return 8 + 2 * args.members; }

// The most members of a pair.
constexpr int kMostMembers = 128;

cudaError_t launch_pairs(const PairArgs& args, cudaStream_t stream);

}  // namespace logit_audit::metrics::cuda
