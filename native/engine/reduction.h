// Rows of logits become records here, as they appear. Knows which record each step of each sequence fills,
// and keeps a row for a moment where its pair comes later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/error.h"
#include "engine/observations.h"
#include "engine/request.h"
#include "engine/tap.h"
#include "metrics/metrics.h"

namespace logit_audit {

class Reduction {
 public:
  // `reducer` and `measure` outlive it. Throws what Reducer::check throws.
  Reduction(const metrics::Reducer& reducer, const metrics::Request& measure, size_t vocab);

  // Sequences in order of request; `pairs` as in RequestSequences.
  void add_request(RequestSequences&& request);
  void add_failure(uint32_t request, const Error& error);

  const std::vector<Sequence>& sequences() const { return sequences_; }

  // Reduces the rows of one decode call. A row that is no row fails its request and nothing else.
  void reduce(const std::vector<TappedRow>& rows);

  // The columns without the requests that failed.
  Observations finish();

 private:
  struct PairSlot {
    uint32_t request = 0;
    size_t row = 0;
    size_t row_swap = 0;
  };

  bool failed(uint32_t request) const { return failures_.count(request) != 0; }
  void reduce_target(const TappedRow& tapped, size_t target);
  void reduce_row(const TappedRow& tapped, size_t row);
  void reduce_pairs(const std::vector<TappedRow>& rows);
  void reduce_pair(size_t pair, const float* a, const float* b);
  void resize();
  void finish_rows(Observations& out) const;
  void finish_pairs(Observations& out) const;
  void finish_targets(Observations& out) const;
  void finish_sequences(Observations& out) const;

  const metrics::Reducer& reducer_;
  const metrics::Request& measure_;
  size_t vocab_;
  size_t top_k_;

  std::vector<Sequence> sequences_;
  // Of each sequence: the first of its rows, or of its targets where its steps have any.
  std::vector<size_t> first_record_;
  std::vector<PairSlot> pairs_;
  // Row -> its pair.
  std::unordered_map<size_t, size_t> pair_of_row_;
  // Copies of rows whose partner is in a later call.
  std::unordered_map<size_t, std::vector<float>> waiting_;
  std::map<uint32_t, RequestFailure> failures_;

  size_t rows_ = 0;
  size_t targets_ = 0;
  RowTable row_table_;
  PairTable pair_table_;
  TargetTable target_table_;
};

}  // namespace logit_audit
