// Which implementations of the metrics there are, which one a device's logits get, and by which name.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "ggml-backend.h"
#include "metrics/kernels.h"

namespace logit_audit::metrics {

// Rows in host memory, by the Rust crate: always there.
inline constexpr const char* kCpu = "cpu";

// Those of this build: "cpu", "graph", and "cuda" or "metal" where they were built.
std::vector<std::string> implementations_built();

// Throws bad_argument for a name that is neither "auto" nor one of this build's, and says what there is.
void check_implementation(const std::string& name);

// What "auto" comes to for logits in this device's memory.
std::string best_for(ggml_backend_dev_t device);

// What metrics of that name, or what "auto" comes to, take beyond the logits themselves for calls of at most
// `rows` rows: their own sums, and the host space that llama.cpp sets aside for sequences with a sampler
// (device_tap.h).
struct MetricsPlan {
  std::string name;
  size_t bytes = 0;
};
// `device` is the one that computes the logits. Throws as device_budget.
MetricsPlan plan_metrics(const std::string& asked, ggml_backend_dev_t device, size_t vocab, size_t rows);

// The part of a device's free memory that metrics may take, in bytes.
size_t memory_for_metrics(ggml_backend_dev_t device);

// Kernels of that name, not "cpu", for rows of `vocab` logits in the memory of `device`. Throws bad_argument
// where they do not run there, engine_failed where the device has no memory left.
std::unique_ptr<Kernels> make_kernels(const std::string& name, ggml_backend_dev_t device, size_t vocab,
                                      int threads);

}  // namespace logit_audit::metrics
