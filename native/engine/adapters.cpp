#include "engine/adapters.h"

#include <cmath>
#include <set>
#include <utility>

#include "engine/adapter_check.h"
#include "engine/log.h"
#include "error.h"

namespace logit_audit {

namespace {

constexpr const char* kSuffixA = ".lora_a";

struct ContextDeleter {
  void operator()(llama_context* context) const { llama_free(context); }
};
using OwnContext = std::unique_ptr<llama_context, ContextDeleter>;

// A tensor's name; what the scheduler copies to another device is called "device#name#copy".
std::string own_name(const ggml_tensor* tensor) {
  const std::string name = tensor->name;
  const size_t first = name.find('#');
  const size_t last = name.rfind('#');
  return first == last ? name : name.substr(first + 1, last - first - 1);
}

// Called for every node of a graph before it is computed: notes the sources that are an adapter's.
bool note_sources(ggml_tensor* node, bool ask, void* seen) {
  if (!ask) return true;
  for (const ggml_tensor* source : node->src) {
    if (source != nullptr) static_cast<std::set<std::string>*>(seen)->insert(own_name(source));
  }
  return false;
}

bool decode_one_token(llama_context* context, llama_model* model) {
  const llama_token bos = llama_vocab_bos(llama_model_get_vocab(model));
  llama_token token = bos == LLAMA_TOKEN_NULL ? 0 : bos;
  return llama_decode(context, llama_batch_get_one(&token, 1)) == 0;
}

[[noreturn]] void could_not(const std::string& what, const ErrorLines& lines) {
  throw Error(Code::kEngineFailed, "llama.cpp could not " + what + " (" + lines.summary() +
                                       "); lower the context length or the batch");
}

}  // namespace

Adapters::Adapters(llama_model* model, const ModelFiles& files, const std::vector<AdapterOption>& options)
    : model_(model) {
  for (const AdapterOption& option : options) {
    if (!std::isfinite(static_cast<float>(option.scale))) {
      throw Error(Code::kBadArgument, "the scale of LoRA adapter \"" + option.path + "\" is no number",
                  {{"file", option.path}});
    }
    const AdapterFile file = check_adapter(option.path, files);
    ErrorLines lines;
    loaded_.emplace_back(llama_adapter_lora_init(model, option.path.c_str()));
    if (!loaded_.back() && lines.tell_of_memory()) {
      throw Error(
          Code::kEngineFailed,
          "there is not enough memory for LoRA adapter \"" + option.path + "\" (" + lines.last() + ")",
          {{"file", option.path}});
    }
    if (!loaded_.back()) {
      throw Error(Code::kModelInvalid,
                  "llama.cpp could not load LoRA adapter \"" + option.path + "\": " + lines.summary(),
                  {{"file", option.path}});
    }
    info_.push_back({option.path, option.scale, file.alpha});
    weights_.push_back(file.weights);
  }
}

void Adapters::set(llama_context* context, const std::vector<float>& scales) const {
  std::vector<llama_adapter_lora*> adapters;
  for (const auto& adapter : loaded_) adapters.push_back(adapter.get());
  std::vector<float> own = scales;
  llama_set_adapters_lora(context, adapters.data(), adapters.size(), own.data());
}

void Adapters::check_used() const {
  std::set<std::string> seen;
  llama_context_params params = llama_context_default_params();
  params.n_ctx = 1;
  params.n_batch = 1;
  params.n_ubatch = 1;
  params.n_threads = 1;
  params.n_threads_batch = 1;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
  params.no_perf = true;
  params.cb_eval = note_sources;
  params.cb_eval_user_data = &seen;
  ErrorLines lines;
  const OwnContext context(llama_init_from_model(model_, params));
  if (!context) could_not("make a context to try the LoRA adapters in", lines);
  // All at full strength: one with scale 0 would not be in the graph.
  set(context.get(), std::vector<float>(loaded_.size(), 1.0F));
  if (!decode_one_token(context.get(), model_)) could_not("decode with the LoRA adapters", lines);
  for (size_t i = 0; i < weights_.size(); ++i) {
    for (const std::string& weight : weights_[i]) {
      if (seen.count(weight + kSuffixA) != 0) continue;
      throw Error(Code::kModelInvalid,
                  "LoRA adapter \"" + info_[i].path + "\" cannot be used: it changes " + weight +
                      ", and llama.cpp applies no adapter to that weight",
                  {{"file", info_[i].path}});
    }
  }
}

void Adapters::apply(llama_context* context) const {
  std::vector<float> scales;
  for (const AdapterInfo& adapter : info_) scales.push_back(static_cast<float>(adapter.scale));
  set(context, scales);
  ErrorLines lines;
  if (!decode_one_token(context, model_)) could_not("decode with the LoRA adapters", lines);
  llama_memory_clear(llama_get_memory(context), false);
}

}  // namespace logit_audit
