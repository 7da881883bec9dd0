#include "engine/gguf_check.h"

#include <utility>

#include "engine/gguf_parts.h"

namespace logit_audit {

namespace {

// llama.cpp indexes these arrays by token id without looking at their length.
void check_vocabulary(const GgufFile& file) {
  const auto tokens = file.array_length("tokenizer.ggml.tokens");
  if (tokens.value_or(0) == 0) file.refuse("it has no tokenizer (key tokenizer.ggml.tokens)");
  for (const char* key : {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"}) {
    const auto length = file.array_length(key);
    if (length && *length != *tokens) {
      file.refuse(std::string(key) + " has " + std::to_string(*length) + " entries for " +
                  std::to_string(*tokens) + " tokens");
    }
  }
}

void add_tensors(ModelFiles& model, const GgufFile& part) {
  model.parts.push_back(part.path());
  for (const GgufTensor& tensor : part.tensors()) {
    if (!model.tensors.emplace(tensor.name, tensor).second) {
      part.refuse("its tensor " + tensor.name + " is in another part too");
    }
  }
}

}  // namespace

ModelFiles check_gguf(const std::string& path) {
  const GgufFile first(path, "model file");
  if (first.text("general.type") == "adapter") {
    first.refuse(
        "it is an adapter, not a model; open the model that it was made for and give this as its LoRA");
  }
  ModelFiles model;
  model.architecture = first.text("general.architecture").value_or("");
  const std::vector<GgufFile> others = other_parts(first);
  add_tensors(model, first);
  for (const GgufFile& part : others) add_tensors(model, part);
  check_tensor_count(first, model.tensors.size());
  if (model.tensors.empty()) first.refuse("it holds no tensors (a vocabulary-only file?)");
  check_vocabulary(first);
  return model;
}

}  // namespace logit_audit
