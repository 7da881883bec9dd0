// A context on an open model: the KV cache and the compute buffers, with the options that decide what a
// number costs and how exact it is.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/metrics_place.h"
#include "engine/model.h"
#include "engine/plan.h"
#include "engine/threads.h"
#include "llama.h"

namespace logit_audit {

enum class KvType { kF32, kF16 };

// kExact: every text is decoded alone, in calls of one size, so that its rows depend on nothing but its
// tokens. kFast: texts share batches and prefixes, which may change the last digits (more of them where
// weights are quantised).
enum class Mode { kExact, kFast };

struct ContextOptions {
  // Longest text in tokens; 0: the model's trained length, at most 1024.
  uint32_t context_length = 0;
  Mode mode = Mode::kFast;
  KvType kv_type = KvType::kF32;
  bool flash_attention = false;
  // CPU threads; 0: LOGIT_AUDIT_THREADS, or what a short trial finds.
  uint32_t threads = 0;
  // Tokens decoded in one call in fast mode; 0: 128 on the CPU, 512 on an accelerator (docs/design/engine.md
  // has the figures).
  uint32_t batch = 0;
  // Where rows of logits are reduced: "auto", or an implementation's name (metrics/choice.h).
  std::string metrics = "auto";
  // For tests of what happens when llama.cpp changes.
  TapFault tap_fault = TapFault::kNone;
};

// What the options come to for a model: what the memory of a context depends on.
struct ContextShape {
  // Longest sequence in tokens.
  uint32_t context_length = 0;
  // Tokens that the KV cache holds.
  uint32_t cells = 0;
  // Most tokens of one decode call, and of one graph.
  uint32_t batch = 0;
  uint32_t ubatch = 0;
  // Most rows of logits that one decode call leaves.
  uint32_t outputs = 0;
};

// What of a model its context depends on.
struct ModelShape {
  int32_t vocab_size = 0;
  int32_t trained_context_length = 0;
  bool accelerated = false;
  bool causal = true;
};

// Throws bad_argument where more tokens are asked than the model was trained on.
ContextShape context_shape(const ContextOptions& options, const ModelShape& model);

class Context {
 public:
  // Applies the model's adapters. Throws bad_argument, model_invalid for an adapter that would not be applied
  // whole, or engine_failed where the memory cannot be had.
  Context(const Model& model, const ContextOptions& options);

  llama_context* get() const { return context_.get(); }
  // Logits of a row.
  size_t vocab() const { return vocab_; }
  // Longest sequence in tokens.
  uint32_t context_length() const { return context_length_; }
  // Most tokens that one decode call takes.
  uint32_t batch_tokens() const { return batch_tokens_; }
  // Most rows of logits that one decode call gives.
  uint32_t max_outputs() const { return max_outputs_; }
  // Most tokens of one decode call whose hidden states can be had.
  uint32_t hidden_states() const { return std::min(batch_tokens_, max_outputs_); }
  // Sequences that a batch may hold, with ids from 0; the id after the last is free for the engine's own use.
  uint32_t slots() const { return plan_.slots; }
  const PlanOptions& plan() const { return plan_; }
  // Where rows of logits are reduced.
  const MetricsPlace& metrics() const { return metrics_; }
  // How many CPU threads decode, and why. May change between windows.
  Threads& threads() { return threads_; }
  // Its value when the context was made.
  const ThreadChoice& first_threads() const { return first_threads_; }

 private:
  friend class CancelScope;
  struct Deleter {
    void operator()(llama_context* context) const { llama_free(context); }
  };
  // In front of the context, which uses them until it is gone.
  StopSign stop_;
  Threads threads_;
  MetricsPlace metrics_;
  std::unique_ptr<llama_context, Deleter> context_;
  size_t vocab_ = 0;
  uint32_t context_length_ = 0;
  uint32_t batch_tokens_ = 0;
  uint32_t max_outputs_ = 0;
  PlanOptions plan_;
  ThreadChoice first_threads_;
};

// Throws cancelled where the flag is up.
void check_cancelled(const std::atomic<bool>& cancel);

// While it lives, flag == true stops a decode as soon as llama.cpp looks (CPU: between graph nodes).
class CancelScope {
 public:
  CancelScope(Context& context, const std::atomic<bool>& flag) : context_(context) {
    context_.stop_.cancel = &flag;
  }
  ~CancelScope() { context_.stop_.cancel = nullptr; }
  CancelScope(const CancelScope&) = delete;
  CancelScope& operator=(const CancelScope&) = delete;

 private:
  Context& context_;
};

}  // namespace logit_audit
