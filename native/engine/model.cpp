#include "engine/model.h"

#include <utility>
#include <vector>

#include "engine/gguf_check.h"
#include "engine/log.h"
#include "error.h"

namespace logit_audit {

namespace {

std::string meta_string(const llama_model* model, const char* key) {
  const int32_t length = llama_model_meta_val_str(model, key, nullptr, 0);
  if (length <= 0) return "";
  std::vector<char> buffer(static_cast<size_t>(length) + 1);
  llama_model_meta_val_str(model, key, buffer.data(), buffer.size());
  return std::string(buffer.data(), static_cast<size_t>(length));
}

std::string token_text(const llama_vocab* vocab, llama_token token) {
  return token < 0 || token >= llama_vocab_n_tokens(vocab) ? "" : llama_vocab_get_text(vocab, token);
}

std::vector<std::string> control_tokens(const llama_vocab* vocab) {
  // Exactly those that llama_tokenize passes over without parse_special.
  constexpr int kSpecialOnly = LLAMA_TOKEN_ATTR_CONTROL | LLAMA_TOKEN_ATTR_UNKNOWN;
  std::vector<std::string> texts;
  // llama.cpp aborts where a model without a tokenizer is asked for an attribute.
  if (llama_vocab_type(vocab) == LLAMA_VOCAB_TYPE_NONE) return texts;
  for (llama_token token = 0; token < llama_vocab_n_tokens(vocab); ++token) {
    if ((llama_vocab_get_attr(vocab, token) & kSpecialOnly) == 0) continue;
    std::string text = llama_vocab_get_text(vocab, token);
    if (!text.empty()) texts.push_back(std::move(text));
  }
  return texts;
}

// llama.cpp takes token 11 for BOS and EOS where a file with a BPE vocabulary names none.
bool is_named(const llama_model* model, const char* key) {
  const bool guessed = llama_vocab_type(llama_model_get_vocab(model)) == LLAMA_VOCAB_TYPE_BPE;
  return !guessed || llama_model_meta_val_str(model, key, nullptr, 0) >= 0;
}

std::string describe(const llama_model* model) {
  std::vector<char> buffer(256);
  const int32_t length = llama_model_desc(model, buffer.data(), buffer.size());
  return length > 0 ? std::string(buffer.data()) : "";
}

// The numbers are those of llama_pooling_type.
Pooling pooling_of(const llama_model* model, const std::string& architecture) {
  const std::string value = meta_string(model, (architecture + ".pooling_type").c_str());
  if (value == "2") return Pooling::kFirst;
  if (value == "3") return Pooling::kLast;
  if (value == "4") return Pooling::kRank;
  return Pooling::kMean;
}

std::vector<ComputeDevice> devices_for(const ModelOptions& options) {
  // Unless the CPU was requested, a number of layers is for those machines that have an accelerator.
  if (asks_for_cpu(options.device) && options.gpu_layers > 0) {
    throw Error(Code::kBadArgument,
                std::to_string(options.gpu_layers) +
                    " layers on an accelerator are asked, and the CPU for all; give one of both");
  }
  return choose_devices(options.device, compute_devices());
}

}  // namespace

Model::Model(const std::string& path, const ModelOptions& options) {
  const std::vector<ComputeDevice> devices = devices_for(options);
  const ModelFiles files = check_gguf(path);
  // Given even where it is empty: left out, llama.cpp would take what it finds.
  std::vector<ggml_backend_dev_t> handles;
  for (const ComputeDevice& device : devices) handles.push_back(device.handle);
  handles.push_back(nullptr);
  llama_model_params params = llama_model_default_params();
  params.devices = handles.data();
  params.n_gpu_layers = options.gpu_layers;
  ErrorLines lines;
  model_.reset(llama_model_load_from_file(path.c_str(), params));
  if (!model_ && lines.tell_of_memory()) {
    throw Error(Code::kEngineFailed,
                "there is not enough memory for \"" + path + "\" (" + lines.last() +
                    "); take a smaller or a quantised model, or put fewer layers on the device",
                {{"file", path}});
  }
  if (!model_) {
    throw Error(Code::kModelInvalid, "llama.cpp could not load \"" + path + "\": " + lines.summary(),
                {{"file", path}});
  }
  const llama_model* model = model_.get();
  if (llama_model_has_encoder(model) || llama_model_is_diffusion(model)) {
    throw Error(Code::kModelInvalid,
                "\"" + path + "\" is not a causal language model; a decoder-only model is needed",
                {{"file", path}});
  }
  adapters_ = Adapters(model_.get(), files, options.adapters);
  accelerated_ = !devices.empty();
  // The output counts as one more.
  offloaded_ = accelerated_ && (options.gpu_layers < 0 || options.gpu_layers > llama_model_n_layer(model));
  info_.path = path;
  info_.parts = files.parts;
  info_.devices = device_names(devices);
  info_.description = describe(model);
  info_.architecture = meta_string(model, "general.architecture");
  info_.tokenizer = meta_string(model, "tokenizer.ggml.model");
  if (const char* text = llama_model_chat_template(model, nullptr)) info_.chat_template = text;
  info_.parameters = static_cast<double>(llama_model_n_params(model));
  info_.size_bytes = static_cast<double>(llama_model_size(model));
  info_.vocab_size = llama_vocab_n_tokens(vocab());
  info_.trained_context_length = llama_model_n_ctx_train(model);
  info_.embedding_length = llama_model_n_embd_out(model);
  info_.pooling = pooling_of(model, info_.architecture);
  info_.causal = meta_string(model, (info_.architecture + ".attention.causal").c_str()) != "false";
  info_.adds_bos = llama_vocab_get_add_bos(vocab());
  if (is_named(model, "tokenizer.ggml.bos_token_id")) info_.bos = llama_vocab_bos(vocab());
  if (is_named(model, "tokenizer.ggml.eos_token_id")) info_.eos = llama_vocab_eos(vocab());
  info_.bos_text = token_text(vocab(), info_.bos);
  info_.eos_text = token_text(vocab(), info_.eos);
  info_.control_tokens = control_tokens(vocab());
  if (info_.adds_bos && info_.bos == LLAMA_TOKEN_NULL) {
    throw Error(Code::kModelInvalid,
                "\"" + path +
                    "\" wants BOS in front of texts and does not say which token that is "
                    "(tokenizer.ggml.bos_token_id); convert the model again",
                {{"file", path}});
  }
}

}  // namespace logit_audit
