#include "engine/adapter_check.h"

#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "ggml-cpu.h"

namespace logit_audit {

namespace {

constexpr std::string_view kSuffixA = ".lora_a";
constexpr std::string_view kSuffixB = ".lora_b";
constexpr const char* kEmbedding = "token_embd.weight";

struct Pair {
  const GgufTensor* a = nullptr;
  const GgufTensor* b = nullptr;
};

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

void check_kind(const GgufFile& file, const std::string& architecture) {
  const std::string kind = file.text("general.type").value_or("");
  if (kind != "adapter") {
    file.refuse(kind.empty() || kind == "model" ? "it is a model, not an adapter (key general.type)"
                                                : "it is of the kind \"" + kind + "\", not an adapter");
  }
  const std::string type = file.text("adapter.type").value_or("");
  if (type != "lora") {
    file.refuse("it is an adapter of the type \"" + type + "\"; LoRA adapters can be applied");
  }
  const std::string own = file.text("general.architecture").value_or("");
  if (own != architecture) {
    file.refuse("it was made for the architecture \"" + own + "\", and the model is of \"" + architecture +
                "\"");
  }
  // Applied from the first token on, as llama.cpp would, it gives other numbers than it was trained for.
  if (file.has("adapter.alora.invocation_tokens")) {
    file.refuse("it is an activated LoRA (aLoRA), which works from certain tokens on; this is not supported");
  }
}

float alpha_of(const GgufFile& file) {
  const auto alpha = file.float32("adapter.lora.alpha");
  if (!alpha) file.refuse("it lacks the key adapter.lora.alpha");
  if (!std::isfinite(*alpha) || *alpha == 0) {
    // llama.cpp takes 0 for "as large as the rank".
    file.refuse("its alpha is " + std::to_string(*alpha) + "; it must be a number other than 0");
  }
  return *alpha;
}

std::map<std::string, Pair> pairs_of(const GgufFile& file) {
  std::map<std::string, Pair> pairs;
  for (const GgufTensor& tensor : file.tensors()) {
    const bool is_a = ends_with(tensor.name, kSuffixA);
    if (!is_a && !ends_with(tensor.name, kSuffixB)) {
      file.refuse("its tensor " + tensor.name +
                  " is no half of a pair .lora_a, .lora_b, and llama.cpp would leave it out");
    }
    const size_t suffix = (is_a ? kSuffixA : kSuffixB).size();
    Pair& pair = pairs[tensor.name.substr(0, tensor.name.size() - suffix)];
    (is_a ? pair.a : pair.b) = &tensor;
  }
  if (pairs.empty()) file.refuse("it holds no tensors");
  return pairs;
}

// Can llama.cpp multiply by a matrix of this type?
void check_type(const GgufFile& file, const GgufTensor& half) {
  const bool numbers = half.type == GGML_TYPE_F32 || half.type == GGML_TYPE_F16 ||
                       half.type == GGML_TYPE_BF16 || ggml_is_quantized(half.type);
  if (!numbers || ggml_get_type_traits_cpu(half.type)->vec_dot == nullptr) {
    file.refuse("its tensor " + half.name + " is of type " + ggml_type_name(half.type) +
                "; convert the adapter to F32, F16, BF16 or Q8_0");
  }
}

// A turns a weight's columns into `rank` numbers and B turns those into its rows. Token embeddings are looked
// up and not multiplied by: there the rows of A, one a token, are what B turns into the embedding.
void check_shapes(const GgufFile& file, const GgufTensor& weight, const Pair& pair) {
  using Shape = std::array<int64_t, GGML_MAX_DIMS>;
  const Shape& w = weight.shape;
  const int64_t rank = pair.b->shape[0];
  const bool looked_up = weight.name == kEmbedding;
  const Shape a = looked_up ? Shape{rank, w[1], w[2], w[3]} : Shape{w[0], rank, w[2], w[3]};
  const Shape b = looked_up ? Shape{rank, w[0], w[2], w[3]} : Shape{rank, w[1], w[2], w[3]};
  if (rank >= 1 && pair.a->shape == a && pair.b->shape == b) return;
  file.refuse("its tensors for " + weight.name + " are of " + pair.a->shape_text() + " (A) and " +
              pair.b->shape_text() + " (B), which does not fit the model's weight of " + weight.shape_text() +
              "; an adapter of another model?");
}

// Weights for which llama.cpp's graph would fail an assertion.
void check_weight(const GgufFile& file, const GgufTensor& weight, const ModelFiles& model) {
  if (weight.name == kEmbedding && model.tensors.count("output.weight") == 0) {
    file.refuse("it changes " + weight.name +
                ", which the model uses for its output too, and llama.cpp cannot apply it there");
  }
  if (weight.type == GGML_TYPE_NVFP4) {
    file.refuse("it changes " + weight.name +
                ", which is of type NVFP4; llama.cpp applies no adapter to those");
  }
}

}  // namespace

AdapterFile check_adapter(const std::string& path, const ModelFiles& model) {
  const GgufFile file(path, "LoRA adapter");
  check_kind(file, model.architecture);
  AdapterFile adapter;
  adapter.alpha = alpha_of(file);
  for (const auto& [name, pair] : pairs_of(file)) {
    if (pair.a == nullptr || pair.b == nullptr) {
      file.refuse("it has only one half of the pair for " + name);
    }
    const auto weight = model.tensors.find(name);
    if (weight == model.tensors.end()) {
      file.refuse("it changes " + name + ", which the model does not have; an adapter of another model?");
    }
    check_weight(file, weight->second, model);
    for (const GgufTensor* half : {pair.a, pair.b}) check_type(file, *half);
    check_shapes(file, weight->second, pair);
    adapter.weights.push_back(name);
  }
  return adapter;
}

}  // namespace logit_audit
