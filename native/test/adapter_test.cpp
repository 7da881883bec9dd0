// LoRA adapters that cannot be used: each an error that names the file and what is wrong, none an abort. What
// an adapter does to the numbers is in test/model/lora.test.ts, against the oracle.
#include <limits>

#include "engine/adapter_check.h"
#include "engine/adapters.h"
#include "error.h"
#include "test/engine_fixture.h"
#include "test/temporary.h"

namespace logit_audit::test {

namespace {

// stories260K: embeddings of 64, 512 tokens, a hidden layer of 172, keys and values of 32.
constexpr int64_t kWidth = 64;
constexpr int64_t kRank = 2;

GgufWriter adapter_keys() {
  GgufWriter keys = new_gguf();
  gguf_set_val_str(keys.get(), "general.type", "adapter");
  gguf_set_val_str(keys.get(), "general.architecture", "llama");
  gguf_set_val_str(keys.get(), "adapter.type", "lora");
  gguf_set_val_f32(keys.get(), "adapter.lora.alpha", 4);
  return keys;
}

std::vector<WrittenTensor> pair_for(const std::string& weight, std::vector<int64_t> a, std::vector<int64_t> b,
                                    ggml_type type = GGML_TYPE_F32) {
  return {{weight + ".lora_a", std::move(a), type}, {weight + ".lora_b", std::move(b), type}};
}

std::vector<WrittenTensor> query_pair() {
  return pair_for("blk.0.attn_q.weight", {kWidth, kRank}, {kRank, kWidth});
}

ModelOptions with(const std::string& path, double scale = 1) {
  ModelOptions options = on_cpu();
  options.adapters = {{path, scale}};
  return options;
}

// Opening the model with the adapter is a model_invalid that names the file and says `part`.
void check_refused(const std::string& path, const std::string& part) {
  try {
    const Engine engine({}, with(path));
    record(false, __FILE__, __LINE__, path + " was not refused; expected: " + part);
  } catch (const Error& error) {
    const std::string message = error.what();
    const bool named = message.find(path) != std::string::npos && message.find(part) != std::string::npos;
    record(error.code() == Code::kModelInvalid && named, __FILE__, __LINE__,
           "expected \"" + part + "\", got: " + message);
  }
}

}  // namespace

TEST("adapters: one that fits is applied, of every number type") {
  if (no_model()) return;
  const TemporaryFolder folder;
  const std::string path = folder.file("fits.gguf");
  for (const ggml_type type : {GGML_TYPE_F32, GGML_TYPE_F16, GGML_TYPE_BF16}) {
    write_gguf(path, adapter_keys(), pair_for("blk.0.attn_q.weight", {kWidth, kRank}, {kRank, kWidth}, type));
    Engine engine({}, with(path, 0.1));
    CHECK_EQ(engine.model.adapters().info().size(), size_t{1});
    CHECK_EQ(engine.model.adapters().info()[0].scale, 0.1);
    CHECK_EQ(engine.model.adapters().info()[0].alpha, 4.0F);
    // All zero, it changes nothing.
    CHECK_NEAR(engine.observe(probes({"The nurse said that"})).rows.masses[0], 0.133278, kFloat32);
  }
  write_gguf(path, adapter_keys(),
             pair_for("blk.0.attn_q.weight", {kWidth, 32}, {32, kWidth}, GGML_TYPE_Q8_0));
  CHECK_EQ(Engine({}, with(path)).observe(probes({"The nurse"})).rows.request.size(), size_t{1});
}

TEST("adapters: tensors that do not fit the model, or that llama.cpp would not apply") {
  if (no_model()) return;
  const TemporaryFolder folder;
  const std::string path = folder.file("odd.gguf");
  const auto refused = [&](const std::vector<WrittenTensor>& tensors, const std::string& part) {
    write_gguf(path, adapter_keys(), tensors);
    check_refused(path, part);
  };
  const std::string weight = "blk.0.attn_q.weight";
  refused({}, "it holds no tensors");
  refused(pair_for("blk.9.attn_q.weight", {kWidth, kRank}, {kRank, kWidth}), "which the model does not have");
  refused({query_pair()[0]}, "only one half of the pair for blk.0.attn_q.weight");
  refused({{"blk.0.attn_norm.weight", {kWidth}}}, "would leave it out");
  refused(pair_for(weight, {kWidth + 1, kRank}, {kRank, kWidth}), "65 x 2 (A) and 2 x 64 (B)");
  refused(pair_for(weight, {kWidth, kRank}, {kRank, kWidth + 1}),
          "does not fit the model's weight of 64 x 64");
  refused(pair_for(weight, {kWidth, kRank}, {kRank + 1, kWidth}), "does not fit");
  refused(pair_for(weight, {kWidth, kRank, 2}, {kRank, kWidth}), "64 x 2 x 2 (A)");
  refused(pair_for(weight, {kWidth, kRank}, {kRank, kWidth, 3}), "does not fit");
  refused(pair_for(weight, {kWidth, 0}, {0, kWidth}), "cannot be used");
  refused(pair_for(weight, {kRank, kWidth}, {kWidth, kRank}), "does not fit");
  refused(pair_for(weight, {kWidth, kRank}, {kRank, kWidth}, GGML_TYPE_I32), "is of type i32");
  refused(pair_for(weight, {kWidth, kRank}, {kRank, kWidth}, GGML_TYPE_F64), "is of type f64");
  // A norm's weight is multiplied by element, not as a matrix.
  refused(pair_for("blk.0.attn_norm.weight", {kWidth, kRank}, {kRank, 1}),
          "applies no adapter to that weight");
}

TEST("adapters: token embeddings, where they are the output too and where they are not") {
  if (no_model()) return;
  const TemporaryFolder folder;
  const std::string adapter = folder.file("embedding.gguf");
  write_gguf(adapter, adapter_keys(), pair_for("token_embd.weight", {kRank, 512}, {kRank, kWidth}));
  CHECK_EQ(Engine({}, with(adapter)).observe(probes({"The nurse"})).rows.request.size(), size_t{1});
  // The same model without an output of its own.
  ggml_context* tensors = nullptr;
  const GgufWriter whole(gguf_init_from_file(stories_model().c_str(), {/*no_alloc=*/false, &tensors}),
                         gguf_free);
  const std::unique_ptr<ggml_context, decltype(&ggml_free)> owned(tensors, ggml_free);
  const GgufWriter tied = new_gguf();
  gguf_set_kv(tied.get(), whole.get());
  for (ggml_tensor* tensor = ggml_get_first_tensor(tensors); tensor != nullptr;
       tensor = ggml_get_next_tensor(tensors, tensor)) {
    const std::string name = tensor->name;
    if (gguf_find_tensor(whole.get(), name.c_str()) >= 0 && name != "output.weight") {
      gguf_add_tensor(tied.get(), tensor);
    }
  }
  const std::string model = folder.file("tied.gguf");
  gguf_write_to_file(tied.get(), model.c_str(), false);
  CHECK_EQ(Model(model).info().vocab_size, 512);
  CHECK_FAULT(Model(model, with(adapter)), Code::kModelInvalid);
}

TEST("adapters: metadata that are not those of a LoRA adapter for this model") {
  if (no_model()) return;
  const TemporaryFolder folder;
  const std::string path = folder.file("odd.gguf");
  const auto refused = [&](const std::function<void(gguf_context*)>& change, const std::string& part) {
    const GgufWriter keys = adapter_keys();
    change(keys.get());
    write_gguf(path, keys, query_pair());
    check_refused(path, part);
  };
  refused([](auto* keys) { gguf_remove_key(keys, "general.type"); }, "it is a model, not an adapter");
  refused([](auto* keys) { gguf_set_val_str(keys, "general.type", "imatrix"); }, "of the kind \"imatrix\"");
  refused([](auto* keys) { gguf_set_val_u32(keys, "general.type", 7); }, "general.type is of type u32");
  refused([](auto* keys) { gguf_set_val_str(keys, "adapter.type", "other"); }, "of the type \"other\"");
  refused([](auto* keys) { gguf_remove_key(keys, "adapter.type"); }, "of the type \"\"");
  refused([](auto* keys) { gguf_set_val_bool(keys, "adapter.type", true); }, "adapter.type is of type bool");
  refused([](auto* keys) { gguf_set_val_str(keys, "general.architecture", "gemma3"); }, "\"gemma3\"");
  refused([](auto* keys) { gguf_set_val_i32(keys, "general.architecture", 1); }, "is of type i32, not str");
  refused([](auto* keys) { gguf_remove_key(keys, "adapter.lora.alpha"); },
          "lacks the key adapter.lora.alpha");
  refused([](auto* keys) { gguf_set_val_u32(keys, "adapter.lora.alpha", 4); }, "is of type u32, not f32");
  refused([](auto* keys) { gguf_set_val_f32(keys, "adapter.lora.alpha", 0); }, "its alpha is 0");
  refused(
      [](auto* keys) {
        gguf_set_val_f32(keys, "adapter.lora.alpha", std::numeric_limits<float>::quiet_NaN());
      },
      "its alpha is ");
  refused(
      [](auto* keys) {
        const uint32_t token = 3;
        gguf_set_arr_data(keys, "adapter.alora.invocation_tokens", GGUF_TYPE_UINT32, &token, 1);
      },
      "activated LoRA");
  check_refused(stories_model(), "it is a model, not an adapter");
}

TEST("adapters: a file that is none, is cut off or is not there; an adapter opened as a model") {
  if (no_model()) return;
  const TemporaryFolder folder;
  const std::string whole = folder.file("whole.gguf");
  write_gguf(whole, adapter_keys(), query_pair());
  CHECK_FAULT(Model(stories_model(), with(folder.file("none.gguf"))), Code::kFileNotFound);
  CHECK_FAULT(Model(stories_model(), with(folder.write("text.gguf", "hello"))), Code::kNotGguf);
  CHECK_FAULT(Model(stories_model(), with(folder.file(""))), Code::kFileUnreadable);
  const std::string bytes = read_bytes(whole);
  for (const size_t kept : {size_t{8}, size_t{40}, size_t{200}, bytes.size() / 2, bytes.size() - 100}) {
    check_refused(folder.write("cut.gguf", bytes.substr(0, kept)), "truncated");
  }
  CHECK_FAULT(Model(whole), Code::kModelInvalid);
  CHECK_FAULT(Model(stories_model(), with(whole, 1e39)), Code::kBadArgument);
}

TEST("adapters: a byte changed anywhere in the header is an error or does not matter") {
  if (no_model()) return;
  const TemporaryFolder folder;
  const std::string whole = folder.file("whole.gguf");
  write_gguf(whole, adapter_keys(), query_pair());
  const std::string bytes = read_bytes(whole);
  const size_t header = bytes.size() - 2 * sizeof(float) * kWidth * kRank;
  const ModelFiles model = check_gguf(stories_model());
  for (size_t at = 4; at < header; ++at) {
    for (const char byte : {'\xff', '\x01'}) {
      std::string damaged = bytes;
      damaged[at] = byte;
      const std::string path = folder.write("damaged.gguf", damaged);
      try {
        check_adapter(path, model);
        // What passes must be safe to load and to decode with.
        const Engine engine({}, with(path));
        CHECK(true);
      } catch (const Error& error) {
        CHECK(error.code() == Code::kModelInvalid);
      }
    }
  }
}

TEST("adapters: in exact mode at most two") {
  if (no_model()) return;
  const TemporaryFolder folder;
  const std::string path = folder.file("one.gguf");
  write_gguf(path, adapter_keys(), query_pair());
  ContextOptions exact;
  exact.mode = Mode::kExact;
  ModelOptions options = on_cpu();
  options.adapters = {{path, 1}, {path, 1}, {path, 0}};
  CHECK_EQ(Engine(exact, options).observe(probes({"The nurse"})).rows.request.size(), size_t{1});
  options.adapters[2].scale = 0.5;
  CHECK_FAULT(Engine(exact, options), Code::kBadArgument);
  CHECK_EQ(Engine({}, options).observe(probes({"The nurse"})).rows.request.size(), size_t{1});
}

}  // namespace logit_audit::test
