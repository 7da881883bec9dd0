#include "engine/context.h"

#include <algorithm>
#include <string>

#include "engine/log.h"
#include "error.h"

namespace logit_audit {

namespace {

constexpr uint32_t kDefaultContext = 1024;
// Sequences in one batch.
constexpr uint32_t kSlots = 64;
// Bytes of logits that one decode call may leave in host memory.
constexpr size_t kOutputBytes = size_t{64} << 20;
// Tokens that the graph computes at once; a longer batch is cut by llama.cpp.
constexpr uint32_t kMaxUbatch = 512;

// Tokens of a decode that is timed to choose the number of threads.
constexpr uint32_t kTrialTokens = 32;

// llama.cpp adds adapters up in an order that depends on where they lie in memory; of two it is always the
// same.
constexpr size_t kMaxExactAdapters = 2;

uint32_t choose_context_length(int32_t trained_length, uint32_t asked) {
  const auto trained = static_cast<uint32_t>(std::max(trained_length, 1));
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

uint32_t choose_batch(const ContextOptions& options, const ModelShape& model, uint32_t context_length) {
  // A model whose tokens see each other both ways takes a text in one call.
  if (options.mode == Mode::kExact) return model.causal ? kExactBatch : context_length;
  if (options.batch != 0) return options.batch;
  return model.accelerated ? 512 : 128;
}

void check_adapters(const Adapters& adapters, Mode mode) {
  if (adapters.empty()) return;
  const std::vector<AdapterInfo>& all = adapters.info();
  const auto applied = std::count_if(all.begin(), all.end(),
                                     [](const auto& one) { return static_cast<float>(one.scale) != 0; });
  if (mode == Mode::kExact && static_cast<size_t>(applied) > kMaxExactAdapters) {
    throw Error(
        Code::kBadArgument,
        "the mode \"exact\" takes at most two LoRA adapters: the order in which llama.cpp adds up more "
        "is not the same in every process; use the mode \"fast\" or merge them");
  }
  adapters.check_used();
}

}  // namespace

ContextShape context_shape(const ContextOptions& options, const ModelShape& model) {
  ContextShape shape;
  shape.context_length = choose_context_length(model.trained_context_length, options.context_length);
  shape.batch = choose_batch(options, model, shape.context_length);
  // Tokens that see each other both ways must lie in one graph.
  shape.ubatch = model.causal ? std::min(shape.batch, kMaxUbatch) : shape.batch;
  // Both sides of a pair of longest texts fit, so that they share a batch.
  shape.cells = std::max(shape.batch, 2 * shape.context_length);
  const size_t row_bytes = sizeof(float) * static_cast<size_t>(std::max(model.vocab_size, 1));
  const size_t outputs = std::min<size_t>(kOutputBytes / row_bytes, shape.batch);
  shape.outputs = static_cast<uint32_t>(std::max<size_t>(outputs, kSlots + 1));
  return shape;
}

Context::Context(const Model& model, const ContextOptions& options)
    : threads_(model, options.threads, options.flash_attention, stop_),
      metrics_(model, options.metrics,
               {kSlots + 1,
                context_shape(options, {model.info().vocab_size, model.info().trained_context_length,
                                        model.is_accelerated(), model.info().causal})
                    .outputs,
                static_cast<int>(threads_.count())},
               options.tap_fault) {
  const ModelInfo& info = model.info();
  const ContextShape shape = context_shape(
      options, {info.vocab_size, info.trained_context_length, model.is_accelerated(), info.causal});
  vocab_ = static_cast<size_t>(info.vocab_size);
  context_length_ = shape.context_length;
  max_outputs_ = shape.outputs;
  plan_.target_tokens = shape.batch;
  plan_.slots = kSlots;
  // A recurrent state cannot be cut at a token, nor belong to two sequences.
  plan_.share_prefixes = !llama_model_is_recurrent(model.get()) && !llama_model_is_hybrid(model.get());
  plan_.isolate = options.mode == Mode::kExact;
  check_adapters(model.adapters(), options.mode);
  const ggml_type kv_type = options.kv_type == KvType::kF32 ? GGML_TYPE_F32 : GGML_TYPE_F16;

  llama_context_params params = llama_context_default_params();
  params.n_ctx = shape.cells;
  params.n_batch = shape.batch;
  params.n_ubatch = shape.ubatch;
  params.n_seq_max = kSlots + 1;
  // Without this the output buffer would be sized for every token of a batch.
  params.n_outputs_max = max_outputs_;
  params.n_threads = static_cast<int32_t>(threads_.count());
  params.n_threads_batch = params.n_threads;
  params.type_k = kv_type;
  params.type_v = kv_type;
  params.flash_attn_type =
      options.flash_attention ? LLAMA_FLASH_ATTN_TYPE_ENABLED : LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.kv_unified = true;
  params.swa_full = true;
  // embed.cpp pools hidden states over all calls.
  params.pooling_type = LLAMA_POOLING_TYPE_NONE;
  params.no_perf = true;
  params.abort_callback = StopSign::is_up;
  params.abort_callback_data = &stop_;
  metrics_.install(params);
  ErrorLines lines;
  context_.reset(llama_init_from_model(model.get(), params));
  if (!context_) {
    const std::string what = "texts of " + std::to_string(shape.context_length) + " tokens in batches of " +
                             std::to_string(shape.batch);
    const std::string why =
        lines.tell_of_memory()
            ? "there is not enough memory for " + what + " (" + lines.last() + ")"
            : "llama.cpp could not make a context for " + what + " (" + lines.summary() + ")";
    throw Error(Code::kEngineFailed, why + "; lower the context length or the batch",
                {{"context", static_cast<double>(shape.context_length)},
                 {"batch", static_cast<double>(shape.batch)}});
  }
  if (!model.adapters().empty()) model.adapters().apply(context_.get());
  metrics_.try_out(context_.get());
  // What the tap sees is one graph: a call must not be cut.
  batch_tokens_ = metrics_.tap() != nullptr ? llama_n_ubatch(context_.get()) : llama_n_batch(context_.get());
  plan_.cells = llama_n_ctx(context_.get());
  threads_.take_over(context_.get(), std::min({kTrialTokens, batch_tokens_, context_length_, max_outputs_}));
  first_threads_ = threads_.choice();
}

void check_cancelled(const std::atomic<bool>& cancel) {
  if (cancel.load(std::memory_order_relaxed)) throw Error(Code::kCancelled, "the observation was cancelled");
}

}  // namespace logit_audit
