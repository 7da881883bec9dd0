// A context on an open model: the KV cache and the compute buffers, with the options that decide what a
// number costs and how exact it is.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "engine/model.h"
#include "llama.h"

namespace logit_audit {

enum class KvType { kF32, kF16 };

struct ContextOptions {
  // Longest text in tokens; 0: the model's trained length, at most 1024.
  uint32_t context_length = 0;
  KvType kv_type = KvType::kF32;
  bool flash_attention = false;
  // CPU threads; 0: all.
  uint32_t threads = 0;
  // Tokens decoded in one call.
  uint32_t batch = 512;
};

class Context {
 public:
  // Throws bad_argument, or engine_failed where the memory cannot be had.
  Context(const Model& model, const ContextOptions& options);

  llama_context* get() const { return context_.get(); }
  // Longest sequence in tokens.
  uint32_t context_length() const { return context_length_; }
  // Most tokens that one decode call takes (at least two whole sequences, so that a pair shares a batch).
  uint32_t batch_tokens() const { return batch_tokens_; }
  // Tokens that a well-filled batch has.
  uint32_t target_tokens() const { return target_tokens_; }
  uint32_t batch_sequences() const { return batch_sequences_; }

  // While set, *flag == true stops a decode as soon as llama.cpp looks (CPU: between graph nodes).
  void set_cancel(const std::atomic<bool>* flag) { cancel_ = flag; }

 private:
  struct Deleter {
    void operator()(llama_context* context) const { llama_free(context); }
  };
  std::unique_ptr<llama_context, Deleter> context_;
  uint32_t context_length_ = 0;
  uint32_t batch_tokens_ = 0;
  uint32_t target_tokens_ = 0;
  uint32_t batch_sequences_ = 0;
  const std::atomic<bool>* cancel_ = nullptr;
};

}  // namespace logit_audit
