#include "engine/context.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <thread>

#include "engine/error.h"
#include "engine/log.h"

namespace logit_audit {

namespace {

constexpr uint32_t kDefaultContext = 1024;
// Sequences in one batch.
constexpr uint32_t kSlots = 64;
// Bytes of logits that one decode call may leave in host memory.
constexpr size_t kOutputBytes = size_t{64} << 20;
// Tokens that the graph computes at once; a longer batch is cut by llama.cpp.
constexpr uint32_t kMaxUbatch = 512;

uint32_t choose_context_length(const Model& model, uint32_t asked) {
  const auto trained = static_cast<uint32_t>(std::max(model.info().trained_context_length, 1));
  if (asked == 0) return std::min(trained, kDefaultContext);
  if (asked > trained) {
    throw Error(Code::kBadArgument,
                "a context of " + std::to_string(asked) + " tokens was asked, but the model was trained on " +
                    std::to_string(trained) + "; ask for no more",
                {{"context", static_cast<double>(asked)}, {"trained", static_cast<double>(trained)}});
  }
  return asked;
}

// The batch of exact mode. What a call computes of a token depends in its last digits on how many others it
// takes, and quantised weights make more of last digits: where texts are cut must not hang on an option.
constexpr uint32_t kExactBatch = 64;

uint32_t choose_batch(const Model& model, const ContextOptions& options, uint32_t context_length) {
  // A model whose tokens see each other both ways takes a text in one call.
  if (options.mode == Mode::kExact) return model.info().causal ? kExactBatch : context_length;
  if (options.batch != 0) return options.batch;
  return llama_supports_gpu_offload() ? 512 : 128;
}

// LOGIT_AUDIT_THREADS where it is a number, else one for each core that this process may use.
uint32_t default_threads() {
  if (const char* text = std::getenv("LOGIT_AUDIT_THREADS")) {
    const long threads = std::strtol(text, nullptr, 10);
    if (threads < 1 || threads > 1024) {
      throw Error(Code::kBadArgument,
                  std::string("LOGIT_AUDIT_THREADS is \"") + text + "\"; give a number from 1 to 1024");
    }
    return static_cast<uint32_t>(threads);
  }
  return std::max(1U, std::thread::hardware_concurrency());
}

bool is_cancelled(void* data) {
  const std::atomic<bool>* flag = *static_cast<const std::atomic<bool>**>(data);
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

}  // namespace

Context::Context(const Model& model, const ContextOptions& options) {
  context_length_ = choose_context_length(model, options.context_length);
  const uint32_t batch = choose_batch(model, options, context_length_);
  // Both sides of a pair of longest texts fit, so that they share a batch.
  const uint32_t cells = std::max(batch, 2 * context_length_);
  const size_t row_bytes = sizeof(float) * static_cast<size_t>(model.info().vocab_size);
  const size_t outputs = std::min<size_t>(kOutputBytes / row_bytes, batch);
  max_outputs_ = static_cast<uint32_t>(std::max<size_t>(outputs, kSlots + 1));
  plan_.target_tokens = batch;
  plan_.slots = kSlots;
  // A recurrent state cannot be cut at a token, nor belong to two sequences.
  plan_.share_prefixes = !llama_model_is_recurrent(model.get()) && !llama_model_is_hybrid(model.get());
  plan_.isolate = options.mode == Mode::kExact;
  const uint32_t threads = options.threads != 0 ? options.threads : default_threads();
  const ggml_type kv_type = options.kv_type == KvType::kF32 ? GGML_TYPE_F32 : GGML_TYPE_F16;

  llama_context_params params = llama_context_default_params();
  params.n_ctx = cells;
  params.n_batch = batch;
  params.n_ubatch = std::min(batch, kMaxUbatch);
  params.n_seq_max = kSlots + 1;
  // Without this the output buffer would be sized for every token of a batch.
  params.n_outputs_max = max_outputs_;
  params.n_threads = static_cast<int32_t>(threads);
  params.n_threads_batch = static_cast<int32_t>(threads);
  params.type_k = kv_type;
  params.type_v = kv_type;
  params.flash_attn_type =
      options.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.kv_unified = true;
  params.swa_full = true;
  // Hidden states are pooled by embed.cpp, in whatever calls they come.
  params.pooling_type = LLAMA_POOLING_TYPE_NONE;
  params.no_perf = true;
  params.abort_callback = is_cancelled;
  params.abort_callback_data = &cancel_;
  ErrorLines lines;
  context_.reset(llama_init_from_model(model.get(), params));
  if (!context_) {
    throw Error(Code::kEngineFailed, "llama.cpp could not make a context of " + std::to_string(cells) +
                                         " tokens (" + lines.summary() +
                                         "); lower the context length or the batch");
  }
  batch_tokens_ = llama_n_batch(context_.get());
  plan_.cells = llama_n_ctx(context_.get());
}

}  // namespace logit_audit
