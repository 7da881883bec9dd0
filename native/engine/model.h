// An open model: its weights and its vocabulary. Thread-safe for reading; contexts are made on it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters.h"
#include "engine/devices.h"
#include "llama.h"

namespace logit_audit {

// How a text's hidden states become one vector.
// kRank: one number for a pair of texts, no vector.
enum class Pooling { kMean, kFirst, kLast, kRank };

struct ModelOptions {
  // Layers on the accelerator; < 0: all.
  int32_t gpu_layers = -1;
  // What choose_devices takes.
  std::string device = "auto";
  std::vector<AdapterOption> adapters;
};

struct ModelInfo {
  std::string path;
  // The model's files in order; one unless it is split.
  std::vector<std::string> parts;
  // Names of the devices that it was given to; the CPU's where there is no other.
  std::vector<std::string> devices;
  std::string description;
  std::string architecture;
  std::string tokenizer;
  std::optional<std::string> chat_template;
  double parameters = 0;
  double size_bytes = 0;
  int32_t vocab_size = 0;
  int32_t trained_context_length = 0;
  // Numbers in a hidden state.
  int32_t embedding_length = 0;
  // The mean where the file names none.
  Pooling pooling = Pooling::kMean;
  // A token sees those before it only.
  bool causal = true;
  bool adds_bos = false;
  llama_token bos = LLAMA_TOKEN_NULL;
  llama_token eos = LLAMA_TOKEN_NULL;
  // Texts of BOS and EOS, for chat templates; empty where the model has none.
  std::string bos_text;
  std::string eos_text;
  // Texts that are a token of their own only where special tokens are read as such, in order of id.
  std::vector<std::string> control_tokens;
};

class Model {
 public:
  // Opens a GGUF file, or several by their first. Throws what check_gguf, choose_devices and Adapters throw,
  // or model_invalid with llama.cpp's own reason.
  explicit Model(const std::string& path, const ModelOptions& options = {});

  const ModelInfo& info() const { return info_; }
  llama_model* get() const { return model_.get(); }
  const llama_vocab* vocab() const { return llama_model_get_vocab(model_.get()); }
  const Adapters& adapters() const { return adapters_; }
  // Does a device other than the CPU take part?
  bool is_accelerated() const { return accelerated_; }
  // Do other devices than the CPU hold all of its layers?
  bool is_offloaded() const { return offloaded_; }

 private:
  struct Deleter {
    void operator()(llama_model* model) const { llama_model_free(model); }
  };
  std::unique_ptr<llama_model, Deleter> model_;
  // Behind the model: they go first.
  Adapters adapters_;
  ModelInfo info_;
  bool accelerated_ = false;
  bool offloaded_ = false;
};

}  // namespace logit_audit
