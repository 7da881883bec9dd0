#include "engine/context.h"

#include <algorithm>
#include <string>
#include <thread>

#include "engine/error.h"
#include "engine/log.h"

namespace logit_audit {

namespace {

constexpr uint32_t kDefaultContext = 1024;
// Sequences in one batch. Each wanted step costs a row of vocabulary-sized logits in the output buffer.
constexpr uint32_t kSequences = 64;
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

bool is_cancelled(void* data) {
  const std::atomic<bool>* flag = *static_cast<const std::atomic<bool>**>(data);
  return flag != nullptr && flag->load(std::memory_order_relaxed);
}

}  // namespace

Context::Context(const Model& model, const ContextOptions& options) {
  if (options.batch == 0) throw Error(Code::kBadArgument, "batch must be at least 1 token");
  context_length_ = choose_context_length(model, options.context_length);
  target_tokens_ = options.batch;
  batch_tokens_ = std::max(options.batch, 2 * context_length_);
  batch_sequences_ = kSequences;
  const uint32_t threads =
      options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
  const ggml_type kv_type = options.kv_type == KvType::kF32 ? GGML_TYPE_F32 : GGML_TYPE_F16;

  llama_context_params params = llama_context_default_params();
  params.n_ctx = batch_tokens_;
  params.n_batch = batch_tokens_;
  params.n_ubatch = std::min(options.batch, kMaxUbatch);
  params.n_seq_max = batch_sequences_;
  // One wanted step a sequence: without this the output buffer would be sized for every token of a batch.
  params.n_outputs_max = batch_sequences_;
  params.n_threads = static_cast<int32_t>(threads);
  params.n_threads_batch = static_cast<int32_t>(threads);
  params.type_k = kv_type;
  params.type_v = kv_type;
  params.flash_attn_type =
      options.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.kv_unified = true;
  params.no_perf = true;
  params.abort_callback = is_cancelled;
  params.abort_callback_data = &cancel_;
  ErrorLines lines;
  context_.reset(llama_init_from_model(model.get(), params));
  if (!context_) {
    throw Error(Code::kEngineFailed, "llama.cpp could not make a context of " +
                                         std::to_string(batch_tokens_) + " tokens (" + lines.summary() +
                                         "); lower the context length or the batch");
  }
  batch_tokens_ = std::min(batch_tokens_, llama_n_batch(context_.get()));
}

}  // namespace logit_audit
