// The LoRA adapters of an open model: loaded once, applied to every context on it, whole or not at all.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/gguf_check.h"
#include "llama.h"

namespace logit_audit {

struct AdapterOption {
  std::string path;
  // Factor beside the adapter's own, which is alpha / rank; 0 leaves the model as it is.
  double scale = 1;
};

struct AdapterInfo {
  std::string path;
  double scale = 1;
  float alpha = 0;
};

class Adapters {
 public:
  // None.
  Adapters() = default;
  // Throws what check_adapter throws, model_invalid with llama.cpp's own reason, and bad_argument for a scale
  // that is no number. The model outlives the adapters.
  Adapters(llama_model* model, const ModelFiles& files, const std::vector<AdapterOption>& options);

  const std::vector<AdapterInfo>& info() const { return info_; }
  bool empty() const { return info_.empty(); }
  // Throws model_invalid where the model's graph passes over a weight that an adapter changes. Decodes one
  // token in a small context of its own, on one CPU thread.
  void check_used() const;
  // Applies all with their scales, and makes the context reserve what that takes: memory trouble shows here.
  // Throws engine_failed.
  void apply(llama_context* context) const;

 private:
  struct Deleter {
    void operator()(llama_adapter_lora* adapter) const { llama_adapter_lora_free(adapter); }
  };
  void set(llama_context* context, const std::vector<float>& scales) const;

  llama_model* model_ = nullptr;
  std::vector<AdapterInfo> info_;
  // Of each adapter, the weights that it changes.
  std::vector<std::vector<std::string>> weights_;
  std::vector<std::unique_ptr<llama_adapter_lora, Deleter>> loaded_;
};

}  // namespace logit_audit
