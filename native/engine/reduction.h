// Rows of logits become records here, as they appear. Knows which records each step of each sequence fills,
// lets sequences grow by steps, and keeps a row for a moment where its pair comes later.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/observations.h"
#include "engine/request.h"
#include "engine/tap.h"
#include "error.h"
#include "metrics/metrics.h"

namespace logit_audit {

class Reduction {
 public:
  // `reducer` and `measure` outlive it. Throws what Reducer::check throws.
  Reduction(const metrics::Reducer& reducer, const metrics::Request& measure, size_t vocab);

  // Sequences in order of request; `pairs` as in RequestSequences.
  void add_request(RequestSequences&& request);
  void add_failure(uint32_t request, const Error& error);
  // A sequence more of a request that is on its way; gives its index.
  uint32_t add_sequence(Sequence&& sequence);

  const std::vector<Sequence>& sequences() const { return sequences_; }

  bool failed(uint32_t request) const { return failures_.count(request) != 0; }

  // Reduces the rows of one decode call. A row that is no row fails its request and nothing else.
  void reduce(const std::vector<TappedRow>& rows);

  // A step behind the last one of a sequence, after the token at `position`; gives its index.
  uint32_t add_step(uint32_t sequence, uint32_t position);
  // Steps of both sides of a pair, to be compared once their rows are there.
  void add_pair(uint32_t sequence, uint32_t step, uint32_t sequence_swap, uint32_t step_swap);
  // What a step went on with: its row gives the token's log-probability too.
  void set_target(const TappedRow& tapped, llama_token token);
  // The natural logarithm of the step's target's probability.
  double log_prob(uint32_t sequence, uint32_t step) const;

  // The columns without the requests that failed.
  Observations finish();

 private:
  struct PairSlot {
    uint32_t request = 0;
    size_t row = 0;
    size_t row_swap = 0;
  };

  struct Records {
    size_t row = kNone;
    size_t target = kNone;
  };
  static constexpr size_t kNone = static_cast<size_t>(-1);

  Records new_records(const Sequence& sequence, const Step& step);
  void add_target(metrics::RowTask& task, llama_token token, size_t target);
  void add_record(metrics::RowTask& task, size_t row);
  metrics::PairRecord pair_record(size_t pair);
  void reduce_pairs(const std::vector<TappedRow>& rows);
  void resize();
  void finish_rows(Observations& out) const;
  void finish_pairs(Observations& out) const;
  void finish_scores(Observations& out) const;
  void finish_targets(Observations& out) const;
  void finish_sequences(Observations& out) const;

  const metrics::Reducer& reducer_;
  const metrics::Request& measure_;
  size_t vocab_;
  size_t top_k_;

  std::vector<Sequence> sequences_;
  // Of each step of each sequence.
  std::vector<std::vector<Records>> records_;
  std::vector<PairSlot> pairs_;
  // Row -> its pair.
  std::unordered_map<size_t, size_t> pair_of_row_;
  // Copies of rows whose partner is in a later call.
  std::unordered_map<size_t, std::unique_ptr<metrics::KeptRow>> waiting_;
  std::map<uint32_t, RequestFailure> failures_;

  size_t rows_ = 0;
  size_t targets_ = 0;
  RowTable row_table_;
  PairTable pair_table_;
  TargetTable target_table_;
};

}  // namespace logit_audit
