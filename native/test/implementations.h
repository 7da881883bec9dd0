// Every implementation of the metrics that this machine has, and rows of logits where each wants them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "ggml-backend.h"
#include "metrics/device.h"
#include "metrics/leaf.h"
#include "metrics/metrics.h"

namespace logit_audit::test {

struct Implementation {
  // "cpu", "graph", "cuda" or "metal".
  std::string name;
  // Null for rows in host memory.
  ggml_backend_dev_t device = nullptr;
  std::unique_ptr<metrics::Kernels> kernels(size_t vocab) const;

  // For rows of `vocab` logits.
  std::unique_ptr<metrics::Reducer> reducer(size_t vocab, size_t memory = metrics::kMetricsMemory) const;
};

// cpu; graph on the CPU's backend and, with whatever else is built, on every graphics card.
std::vector<Implementation> implementations();

// Rows of equal length in the memory that an implementation reads.
class PlacedRows {
 public:
  PlacedRows(const Implementation& implementation, const std::vector<std::vector<float>>& rows);
  metrics::Row row(size_t index) const;

 private:
  struct Free {
    void operator()(ggml_backend_buffer_t buffer) const { ggml_backend_buffer_free(buffer); }
  };
  std::vector<std::vector<float>> host_;
  metrics::Tensors headers_{1};
  ggml_tensor* tensor_ = nullptr;
  std::unique_ptr<ggml_backend_buffer, Free> memory_;
};

// One row, one target, one pair; a fault is thrown.
void reduce_row(const metrics::Reducer& reducer, const metrics::Row& row, size_t vocab,
                const metrics::Request& request, const metrics::RowRecord& out);
void reduce_pair(const metrics::Reducer& reducer, const metrics::Row& a, const metrics::Row& b, size_t vocab,
                 const metrics::Request& request, const metrics::PairRecord& out);

}  // namespace logit_audit::test
