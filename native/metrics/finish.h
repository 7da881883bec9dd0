// From a device's float32 sums to results, in float64: what is left to do of a row or a pair once every sum
// over the vocabulary is there.
#pragma once

#include <cstddef>
#include <vector>

#include "metrics/kernels.h"

namespace logit_audit::metrics {

// Row `row` of a batch, as far as every result needs it.
struct RowState {
  double max = 0;
  // ln sum exp(z - max): 0 or more.
  double log_sum = 0;
  // sum exp(z - max): 1 or more.
  double sum = 1;
};

// False where the sums do not describe a row of logits, or one that float32 cannot hold: the cpu kernels say
// which.
bool is_sound(const RowSums& sums, size_t row);
RowState state_of(const RowSums& sums, size_t row, size_t vocab);
PairSide side_of(const RowState& state);

// `top` is how many of the largest logits the batch has of each row, of which `wanted` are taken.
void finish_row(const RowSums& sums, size_t row, const RowState& state, const Request& request, size_t top,
                size_t wanted, RowRecord out);
// `at`: which of the batch's targets.
void finish_target(const RowSums& sums, size_t at, const RowState& state, TargetRecord out);

// A token of the union of the top K of both rows.
struct Member {
  int32_t id = 0;
  // Its better place, from 0, in the two top lists: it belongs to the union for every K above that.
  size_t place = 0;
};

// The union of two top lists, in order of place, then id.
std::vector<Member> unite(const int32_t* a, const int32_t* b, size_t top);

// How far the sides' logsumexps are from what the sums need: sum (p - q), which must be 0.
struct PairCheck {
  double excess = 0;
  bool again = false;
};
PairCheck check_pair(const PairBatch& batch, const PairSums& sums, size_t pair, size_t members);
// Moves both sides by half of it.
void correct(PairSide& a, PairSide& b, double excess);

void finish_pair(const PairBatch& batch, const PairSums& sums, size_t pair,
                 const std::vector<Member>& members, const std::vector<size_t>& ks, PairRecord out);

}  // namespace logit_audit::metrics
