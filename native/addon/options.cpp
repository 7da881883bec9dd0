#include "addon/options.h"

#include <cmath>
#include <cstdlib>
#include <string>

#include "addon/errors.h"
#include "error.h"
#include "metrics/choice.h"

namespace logit_audit::addon {

namespace {

constexpr uint32_t kMaxCount = 1 << 24;
constexpr uint32_t kMaxThreads = 1024;

uint32_t whole_number(const Napi::Value& value, const std::string& name, uint32_t least,
                      uint32_t most = kMaxCount) {
  const double number = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(number >= least && number <= most && std::floor(number) == number)) {
    throw Error(Code::kBadArgument, name + " must be a whole number from " + std::to_string(least) + " to " +
                                        std::to_string(most));
  }
  return static_cast<uint32_t>(number);
}

uint32_t count_option(const Napi::Object& options, const char* key, uint32_t fallback,
                      uint32_t most = kMaxCount) {
  const Napi::Value value = options.Get(key);
  return value.IsUndefined() ? fallback : whole_number(value, key, 1, most);
}

std::string text_option(const Napi::Object& options, const char* key, const std::string& fallback) {
  const Napi::Value value = options.Get(key);
  if (value.IsUndefined()) return fallback;
  if (!value.IsString()) throw Error(Code::kBadArgument, std::string(key) + " must be a string");
  return value.As<Napi::String>().Utf8Value();
}

// One of two names: true for the first, which is the default where `first_is_default`.
bool choice_option(const Napi::Object& options, const char* key, const char* first, const char* second,
                   bool first_is_default) {
  const std::string name = text_option(options, key, first_is_default ? first : second);
  if (name == first) return true;
  if (name == second) return false;
  throw Error(Code::kBadArgument,
              std::string(key) + " is \"" + name + "\"; use \"" + first + "\" or \"" + second + "\"");
}

// LOGIT_AUDIT_TAP_FAULT breaks the tap as an update of llama.cpp might, so that what a user then sees can be
// tested.
TapFault tap_fault() {
  const char* text = std::getenv("LOGIT_AUDIT_TAP_FAULT");
  if (text == nullptr) return TapFault::kNone;
  const std::string name = text;
  if (name == "not-seen") return TapFault::kNotSeen;
  if (name == "copied") return TapFault::kCopied;
  if (name == "other-logits") return TapFault::kOtherLogits;
  throw Error(Code::kBadArgument,
              "LOGIT_AUDIT_TAP_FAULT is \"" + name + "\"; use not-seen, copied or other-logits, or unset it");
}

AdapterOption adapter_option(const Napi::Value& value, uint32_t index) {
  const std::string name = "lora[" + std::to_string(index) + "]";
  if (!value.IsObject() || !value.As<Napi::Object>().Get("path").IsString()) {
    throw Error(Code::kBadArgument, name + " must be a path, or an object with a path");
  }
  const auto object = value.As<Napi::Object>();
  AdapterOption adapter;
  adapter.path = object.Get("path").As<Napi::String>().Utf8Value();
  const Napi::Value scale = object.Get("scale");
  if (scale.IsUndefined()) return adapter;
  if (scale.IsNumber()) adapter.scale = scale.As<Napi::Number>().DoubleValue();
  if (!scale.IsNumber() || !std::isfinite(static_cast<float>(adapter.scale))) {
    throw Error(Code::kBadArgument, name + ".scale must be a number");
  }
  return adapter;
}

std::vector<AdapterOption> adapter_options(const Napi::Value& value) {
  if (value.IsUndefined()) return {};
  if (!value.IsArray())
    throw Error(Code::kBadArgument,
                "lora must be the path of an adapter, or an array of paths and of {path, scale}");
  const auto array = value.As<Napi::Array>();
  std::vector<AdapterOption> adapters;
  for (uint32_t i = 0; i < array.Length(); ++i) adapters.push_back(adapter_option(array.Get(i), i));
  return adapters;
}

}  // namespace

Napi::Array texts_to_js(Napi::Env env, const std::vector<std::string>& texts) {
  Napi::Array out = Napi::Array::New(env, texts.size());
  for (uint32_t i = 0; i < texts.size(); ++i) out.Set(i, texts[i]);
  return out;
}

ModelOptions model_options(const Napi::Object& options) {
  ModelOptions out;
  const Napi::Value layers = options.Get("gpuLayers");
  if (!layers.IsUndefined()) out.gpu_layers = static_cast<int32_t>(whole_number(layers, "gpuLayers", 0));
  out.device = text_option(options, "device", out.device);
  out.adapters = adapter_options(options.Get("lora"));
  return out;
}

ContextOptions context_options(const Napi::Object& options) {
  ContextOptions out;
  out.context_length = count_option(options, "contextLength", out.context_length);
  out.threads = count_option(options, "threads", out.threads, kMaxThreads);
  out.batch = count_option(options, "batch", out.batch);
  const Napi::Value flash = options.Get("flashAttention");
  if (!flash.IsUndefined()) out.flash_attention = flash.ToBoolean();
  out.mode = choice_option(options, "mode", "exact", "fast", false) ? Mode::kExact : Mode::kFast;
  out.kv_type = choice_option(options, "kvType", "f32", "f16", true) ? KvType::kF32 : KvType::kF16;
  out.metrics = text_option(options, "metricsImpl", out.metrics);
  metrics::check_implementation(out.metrics);
  out.tap_fault = tap_fault();
  return out;
}

Napi::Value context_shape_to_js(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  return guard(env, [&]() -> Napi::Value {
    if (!info[0].IsObject() || !info[1].IsObject()) {
      throw Error(Code::kBadArgument, "options and model must be objects");
    }
    const auto options = info[0].As<Napi::Object>();
    const auto model = info[1].As<Napi::Object>();
    ModelShape of_model;
    const auto size = [&](const char* key) {
      return static_cast<int32_t>(whole_number(model.Get(key), key, 1, INT32_MAX));
    };
    of_model.vocab_size = size("vocabSize");
    of_model.trained_context_length = size("trainedContextLength");
    const std::vector<ComputeDevice> devices =
        choose_devices(model_options(options).device, compute_devices());
    of_model.accelerated = !devices.empty();
    const ContextOptions asked = context_options(options);
    const ContextShape shape = context_shape(asked, of_model);
    const auto device =
        devices.empty() ? ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU) : devices.front().handle;
    const metrics::MetricsPlan plan =
        metrics::plan_metrics(asked.metrics, device, static_cast<size_t>(of_model.vocab_size), shape.outputs);
    Napi::Object out = Napi::Object::New(env);
    out.Set("contextLength", shape.context_length);
    out.Set("cells", shape.cells);
    out.Set("batch", shape.batch);
    out.Set("graphTokens", shape.ubatch);
    out.Set("outputs", shape.outputs);
    out.Set("devices", texts_to_js(env, device_names(devices)));
    out.Set("metricsImpl", plan.name);
    out.Set("metricsBytes", static_cast<double>(plan.bytes));
    return out;
  });
}

}  // namespace logit_audit::addon
