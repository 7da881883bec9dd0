#include "metrics/choice.h"

#include <algorithm>

#include "error.h"
#include "metrics/device.h"
#include "metrics/graph/graph.h"
#ifdef LOGIT_AUDIT_CUDA_KERNELS
#include "metrics/cuda/cuda.h"
#endif
#ifdef LOGIT_AUDIT_METAL_KERNELS
#include "metrics/metal/metal.h"
#endif

namespace logit_audit::metrics {

namespace {

// Implementations that may exist, and what they are for.
const std::vector<std::string> kKnown = {kCpu, "graph", "cuda", "metal"};

using Make = std::unique_ptr<Kernels> (*)(ggml_backend_dev_t, size_t, int);

struct Built {
  const char* name;
  // The driver whose memory it reads; null: any.
  const char* driver;
  Make make;
  Footprint (*footprint)(size_t vocab);
};

// The better one first.
const std::vector<Built>& built() {
  static const std::vector<Built> all = {
#ifdef LOGIT_AUDIT_CUDA_KERNELS
      {"cuda", "CUDA", make_cuda_kernels, cuda_footprint},
#endif
#ifdef LOGIT_AUDIT_METAL_KERNELS
      {"metal", "MTL", make_metal_kernels, metal_footprint},
#endif
      {"graph", nullptr, make_graph_kernels, graph_footprint},
  };
  return all;
}

// The part of a device's free memory that metrics may take.
constexpr size_t kShareOfFree = 2;

// Numbers a token that llama.cpp sets aside on the host for a row whose sequence has a sampler, beyond the
// logit: another logit, a probability, and the token.
constexpr size_t kSamplerNumbers = 3;

bool runs_on(const Built& one, ggml_backend_dev_t device) {
  return one.driver == nullptr ||
         std::string(ggml_backend_reg_name(ggml_backend_dev_backend_reg(device))) == one.driver;
}

std::string join_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::vector<std::string> implementations_built() {
  std::vector<std::string> names = {kCpu};
  for (const Built& one : built()) names.emplace_back(one.name);
  return names;
}

void check_implementation(const std::string& name) {
  const std::vector<std::string> there = implementations_built();
  if (name == "auto" || std::find(there.begin(), there.end(), name) != there.end()) return;
  const bool known = std::find(kKnown.begin(), kKnown.end(), name) != kKnown.end();
  throw Error(Code::kBadArgument,
              "metricsImpl is \"" + name + "\", " +
                  (known ? "which this build lacks" : "which there is not") + "; use auto, " +
                  join_names(there) + (known ? "; docs/devices.md says how to build others" : ""),
              {{"metricsImpl", name}});
}

std::string best_for(ggml_backend_dev_t device) {
  if (ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_CPU) return kCpu;
  for (const Built& one : built()) {
    if (runs_on(one, device)) return one.name;
  }
  return kCpu;
}

size_t memory_for_metrics(ggml_backend_dev_t device) {
  size_t free = 0;
  size_t total = 0;
  ggml_backend_dev_memory(device, &free, &total);
  // Some drivers do not say.
  return free == 0 ? kMetricsMemory : std::min(kMetricsMemory, free / kShareOfFree);
}

MetricsPlan plan_metrics(const std::string& asked, ggml_backend_dev_t device, size_t vocab, size_t rows) {
  MetricsPlan plan;
  plan.name = asked == "auto" ? best_for(device) : asked;
  for (const Built& one : built()) {
    if (plan.name != one.name) continue;
    plan.bytes = device_budget(one.footprint(vocab), vocab, rows, memory_for_metrics(device)).bytes +
                 kSamplerNumbers * sizeof(float) * vocab * rows;
  }
  return plan;
}

std::unique_ptr<Kernels> make_kernels(const std::string& name, ggml_backend_dev_t device, size_t vocab,
                                      int threads) {
  check_implementation(name);
  for (const Built& one : built()) {
    if (name != one.name) continue;
    if (runs_on(one, device)) return one.make(device, vocab, threads);
    throw Error(Code::kBadArgument,
                "the metrics \"" + name + "\" do not run on " + ggml_backend_dev_name(device) +
                    ", which holds the logits; use auto or graph",
                {{"metricsImpl", name}});
  }
  throw Error(Code::kInternal, "the metrics \"" + name + "\" have no kernels");
}

}  // namespace logit_audit::metrics
