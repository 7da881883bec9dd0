// Logits where llama.cpp computed them, and not copied to host memory. The only file that knows how:
// llama.cpp has no interface for it, so this stands on three things that an update may change
// (docs/design/tap.md), and all three are tried when a model is opened (metrics_place.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "llama.h"
#include "metrics/leaf.h"

namespace logit_audit {

// What tests may break, as an update of llama.cpp might.
enum class TapFault { kNone, kNotSeen, kCopied, kOtherLogits };

class DeviceTap {
 public:
  // For sequences with ids below `sequences` and at most `outputs` rows of logits a call.
  DeviceTap(uint32_t sequences, uint32_t outputs, TapFault fault);

  // Before the context is made; the tap outlives it.
  void install(llama_context_params& params);
  // From now on rows stay on the device. Throws engine_failed where llama.cpp refuses.
  void attach(llama_context* context);
  // Rows are copied to host memory again.
  void detach(llama_context* context);

  // Before each decode call, which must be one graph: at most n_ubatch tokens.
  void expect();
  // After it: the call's logits [vocab, rows] on their device, in order of outputs, valid until the next
  // call. Throws engine_failed where they were not seen as expected.
  const ggml_tensor& logits(llama_context* context, size_t vocab, size_t rows);

 private:
  struct FreeSampler {
    void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
  };
  static bool see(ggml_tensor* tensor, bool ask, void* tap);

  uint32_t outputs_;
  TapFault fault_;
  std::vector<std::unique_ptr<llama_sampler, FreeSampler>> samplers_;
  const ggml_tensor* seen_ = nullptr;
  size_t times_seen_ = 0;
  std::optional<metrics::Leaf> leaf_;
};

}  // namespace logit_audit
