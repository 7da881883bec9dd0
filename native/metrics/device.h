// Rows in a device's memory, reduced there: batches that fit the memory that metrics may take, results in
// float64, and the few rows that float32 sums cannot judge handed to the cpu kernels one by one.
#pragma once

#include <cstddef>
#include <memory>

#include "metrics/kernels.h"
#include "metrics/metrics.h"

namespace logit_audit::metrics {

// What metrics may take of a device's memory at a time, unless it has less.
inline constexpr size_t kMetricsMemory = size_t{256} << 20;

// How many rows and pairs are reduced at once, and what memory that takes.
struct DeviceBudget {
  size_t rows = 0;
  size_t pairs = 0;
  size_t bytes = 0;
};

// Throws engine_failed where `memory` bytes do not hold one row's sums.
DeviceBudget device_budget(const Footprint& footprint, size_t vocab, size_t most_rows, size_t memory);

class DeviceReducer : public Reducer {
 public:
  // `memory` in bytes, for vocabularies of this size and calls of at most `most_rows` rows. Throws as
  // device_budget.
  DeviceReducer(std::unique_ptr<Kernels> kernels, size_t vocab, size_t most_rows,
                size_t memory = kMetricsMemory);

  std::string name() const override { return kernels_->name(); }
  void check(const Request& request, size_t vocab) const override;
  void reduce_rows(std::vector<RowTask>& tasks, size_t vocab, const Request& request) const override;
  void reduce_pairs(std::vector<PairTask>& tasks, size_t vocab, const Request& request) const override;

  const DeviceBudget& budget() const { return budget_; }
  // How many rows were handed to the cpu kernels so far: with NaN, or logits that float32 sums cannot hold.
  size_t handed_to_cpu() const { return handed_to_cpu_; }

 private:
  void rows_on_cpu(std::vector<RowTask*>& tasks, size_t vocab, const Request& request) const;
  void pairs_on_cpu(std::vector<PairTask*>& tasks, size_t vocab, const Request& request) const;

  std::unique_ptr<Kernels> kernels_;
  std::unique_ptr<Reducer> cpu_ = make_cpu_reducer();
  DeviceBudget budget_;
  // The engine reduces from one thread at a time, through a const reducer.
  mutable size_t handed_to_cpu_ = 0;
};

}  // namespace logit_audit::metrics
