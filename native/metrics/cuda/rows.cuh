// The kernel of row metrics.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace logit_audit::metrics::cuda {

// Pointers are the device's.
struct RowArgs {
  // The first row; rows lie `vocab` floats apart.
  const float* logits;
  int rows;
  int vocab;
  int top;
  const int32_t* group_ids;
  const int32_t* group_offsets;
  int groups;
  const int32_t* targets;
  int targets_per_row;
  // rows x row_columns(): check, max, below, rest, weighted, masses, top logits, top ids (as bits), target
  // logits, how many are larger.
  float* out;
};

inline int row_columns(const RowArgs& args) {
  return 5 + args.groups + 2 * args.top + 2 * args.targets_per_row;
}

// The longest top list.
constexpr int kMostTop = 64;

cudaError_t launch_rows(const RowArgs& args, cudaStream_t stream);

}  // namespace logit_audit::metrics::cuda
