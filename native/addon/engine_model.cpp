#include "addon/engine_model.h"

#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <utility>

#include "addon/cancel_flag.h"
#include "addon/columns.h"
#include "addon/errors.h"
#include "addon/options.h"
#include "addon/promise_worker.h"
#include "addon/requests.h"
#include "engine/context.h"
#include "engine/cost.h"
#include "engine/model.h"
#include "engine/observe.h"
#include "engine/tokenizer.h"
#include "metrics/baseline.h"
#include "metrics/choice.h"

namespace logit_audit::addon {

// Shared by the JavaScript object and its running workers, so that neither outlives what it uses.
struct EngineModel::State {
  State(const std::string& path, const ModelOptions& model_options, const ContextOptions& context_options,
        const std::string& baseline_name)
      : baseline(baseline_name == metrics::kCpu ? nullptr : metrics::make_reducer(baseline_name)),
        model(std::in_place, path, model_options),
        context(std::in_place, *model, baseline ? in_host_memory(context_options) : context_options) {}

  // Baselines stand for decoding as llama.cpp does it by itself, copies to the host included.
  static ContextOptions in_host_memory(ContextOptions options) {
    options.metrics = metrics::kCpu;
    return options;
  }

  // Shared by every use of the model, taken alone by close: reading the vocabulary never waits for a decode.
  std::shared_mutex life;
  // One decode at a time on the context.
  std::mutex decode;
  // Null unless a benchmark puts something in the reducer's place.
  std::unique_ptr<metrics::Reducer> baseline;
  std::optional<Model> model;
  std::optional<Context> context;

  const metrics::Reducer& reducer() const { return baseline ? *baseline : context->metrics().reducer(); }

  void check_open() const {
    if (!model) throw Error(Code::kEngineClosed, "the model is closed; open it again");
  }
};

namespace {

std::string text_argument(const Napi::CallbackInfo& info, size_t index, const char* name) {
  if (!info[index].IsString()) throw Error(Code::kBadArgument, std::string(name) + " must be a string");
  return info[index].As<Napi::String>().Utf8Value();
}

Napi::Array adapters_to_js(Napi::Env env, const std::vector<AdapterInfo>& adapters) {
  Napi::Array out = Napi::Array::New(env, adapters.size());
  for (uint32_t i = 0; i < adapters.size(); ++i) {
    Napi::Object one = Napi::Object::New(env);
    one.Set("path", adapters[i].path);
    one.Set("scale", adapters[i].scale);
    one.Set("alpha", adapters[i].alpha);
    out.Set(i, one);
  }
  return out;
}

Napi::Value token_or_null(Napi::Env env, llama_token token) {
  if (token == LLAMA_TOKEN_NULL) return env.Null();
  return Napi::Number::New(env, token);
}

Napi::Value text_or_null(Napi::Env env, const std::string& text) {
  return text.empty() ? env.Null() : Napi::Value(Napi::String::New(env, text));
}

// The class as each JavaScript environment (main thread, worker threads) defined it.
struct InstanceData {
  Napi::FunctionReference constructor;
};

}  // namespace

Napi::Function EngineModel::define(Napi::Env env) {
  Napi::Function constructor = DefineClass(env, "EngineModel",
                                           {
                                               InstanceMethod<&EngineModel::info>("info"),
                                               InstanceMethod<&EngineModel::tokenize>("tokenize"),
                                               InstanceMethod<&EngineModel::tokenize_joint>("tokenizeJoint"),
                                               InstanceMethod<&EngineModel::piece>("piece"),
                                               InstanceMethod<&EngineModel::detokenize>("detokenize"),
                                               InstanceMethod<&EngineModel::observe>("observe"),
                                               InstanceMethod<&EngineModel::cost>("cost"),
                                               InstanceMethod<&EngineModel::take_logits>("takeLogits"),
                                               InstanceMethod<&EngineModel::close>("close"),
                                           });
  auto* data = new InstanceData{Napi::Persistent(constructor)};
  env.SetInstanceData(data);
  return constructor;
}

Napi::Value EngineModel::open(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  return guard(env, [&]() -> Napi::Value {
    const std::string path = text_argument(info, 0, "path");
    const Napi::Object options = info[1].IsObject() ? info[1].As<Napi::Object>() : Napi::Object::New(env);
    const ModelOptions model = model_options(options);
    const ContextOptions context = context_options(options);
    // Apart from the options: nothing that a user passes as options reaches it.
    const std::string reducer = info[2].IsUndefined() ? "cpu" : text_argument(info, 2, "reducer");
    using Shared = std::shared_ptr<State>;
    return PromiseWorker<Shared>::start(
        env, [=] { return std::make_shared<State>(path, model, context, reducer); },
        [](Napi::Env js, Shared& state) -> Napi::Value {
          const auto external = Napi::External<Shared>::New(js, &state);
          return js.GetInstanceData<InstanceData>()->constructor.New({external});
        });
  });
}

EngineModel::EngineModel(const Napi::CallbackInfo& info) : Napi::ObjectWrap<EngineModel>(info) {
  if (!info[0].IsExternal()) throw Napi::TypeError::New(info.Env(), "open a model with openModel()");
  state_ = *info[0].As<Napi::External<std::shared_ptr<State>>>().Data();
}

Napi::Value EngineModel::info(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  return guard(env, [&]() -> Napi::Value {
    std::shared_lock lock(state_->life);
    state_->check_open();
    const ModelInfo& model = state_->model->info();
    Napi::Object out = Napi::Object::New(env);
    out.Set("path", model.path);
    out.Set("parts", texts_to_js(env, model.parts));
    out.Set("adapters", adapters_to_js(env, state_->model->adapters().info()));
    out.Set("devices", texts_to_js(env, model.devices));
    out.Set("description", model.description);
    out.Set("architecture", model.architecture);
    out.Set("parameters", model.parameters);
    out.Set("sizeBytes", model.size_bytes);
    out.Set("vocabSize", model.vocab_size);
    out.Set("contextLength", state_->context->context_length());
    const MetricsPlace& metrics = state_->context->metrics();
    out.Set("threads", threads_to_js(env, state_->context->first_threads()));
    out.Set("metricsImpl", state_->reducer().name());
    out.Set("metricsWarning", text_or_null(env, metrics.warning()));
    out.Set("metricsMemory", static_cast<double>(metrics.memory()));
    out.Set("trainedContextLength", model.trained_context_length);
    out.Set("tokenizer", model.tokenizer);
    out.Set("addsBos", model.adds_bos);
    out.Set("bosToken", token_or_null(env, model.bos));
    out.Set("eosToken", token_or_null(env, model.eos));
    out.Set("bosText", text_or_null(env, model.bos_text));
    out.Set("eosText", text_or_null(env, model.eos_text));
    out.Set("controlTokens", texts_to_js(env, model.control_tokens));
    out.Set("chatTemplate",
            model.chat_template ? Napi::Value(Napi::String::New(env, *model.chat_template)) : env.Null());
    return out;
  });
}

Napi::Value EngineModel::tokenize(const Napi::CallbackInfo& info) {
  return guard(info.Env(), [&]() -> Napi::Value {
    const std::string text = text_argument(info, 0, "text");
    std::shared_lock lock(state_->life);
    state_->check_open();
    return tokens_to_js(info.Env(), logit_audit::tokenize(state_->model->vocab(), text, info[1].ToBoolean(),
                                                          info[2].ToBoolean()));
  });
}

Napi::Value EngineModel::tokenize_joint(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  return guard(env, [&]() -> Napi::Value {
    const std::string prompt = text_argument(info, 0, "prompt");
    const std::string continuation = text_argument(info, 1, "continuation");
    std::shared_lock lock(state_->life);
    state_->check_open();
    const JointTokens joint = logit_audit::tokenize_joint(state_->model->vocab(), prompt, continuation,
                                                          info[2].ToBoolean(), info[3].ToBoolean());
    Napi::Object out = Napi::Object::New(env);
    out.Set("ids", tokens_to_js(env, joint.ids));
    out.Set("boundary", static_cast<double>(joint.boundary));
    out.Set("backedOff", joint.backed_off);
    return out;
  });
}

Napi::Value EngineModel::piece(const Napi::CallbackInfo& info) {
  return guard(info.Env(), [&]() -> Napi::Value {
    if (!info[0].IsNumber()) throw Error(Code::kBadArgument, "token must be a number");
    std::shared_lock lock(state_->life);
    state_->check_open();
    const llama_token token = info[0].As<Napi::Number>().Int32Value();
    return Napi::String::New(info.Env(), logit_audit::piece(state_->model->vocab(), token));
  });
}

Napi::Value EngineModel::detokenize(const Napi::CallbackInfo& info) {
  return guard(info.Env(), [&]() -> Napi::Value {
    if (!info[0].IsTypedArray() || info[0].As<Napi::TypedArray>().TypedArrayType() != napi_int32_array) {
      throw Error(Code::kBadArgument, "tokens must be an Int32Array");
    }
    const auto array = info[0].As<Napi::Int32Array>();
    const std::vector<llama_token> tokens(array.Data(), array.Data() + array.ElementLength());
    std::shared_lock lock(state_->life);
    state_->check_open();
    return Napi::String::New(info.Env(), logit_audit::detokenize(state_->model->vocab(), tokens));
  });
}

Napi::Value EngineModel::observe(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  return guard(env, [&]() -> Napi::Value {
    auto requests = std::make_shared<std::vector<Request>>(requests_from_js(info[0]));
    auto measure = std::make_shared<metrics::Request>(measure_from_js(info[1]));
    const SharedFlag cancel = CancelFlag::unwrap(info[2]);
    return PromiseWorker<Observations>::start(
        env,
        [state = state_, requests, measure, cancel] {
          std::shared_lock lock(state->life);
          state->check_open();
          // Made ready while another window is decoded.
          Window window(*state->model, *state->context, state->reducer(), *requests, *measure);
          std::lock_guard turn(state->decode);
          return window.run(*state->context, *cancel);
        },
        [](Napi::Env js, Observations& observations) -> Napi::Value {
          return observations_to_js(js, observations);
        });
  });
}

Napi::Value EngineModel::cost(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  return guard(env, [&]() -> Napi::Value {
    auto requests = std::make_shared<std::vector<Request>>(requests_from_js(info[0]));
    return PromiseWorker<Cost>::start(
        env,
        [state = state_, requests] {
          std::shared_lock lock(state->life);
          state->check_open();
          return cost_of(*state->model, *state->context, *requests);
        },
        [](Napi::Env js, Cost& cost) -> Napi::Value {
          Napi::Object out = Napi::Object::New(js);
          out.Set("decodedTokens", static_cast<double>(cost.decoded_tokens));
          out.Set("naiveTokens", static_cast<double>(cost.naive_tokens));
          out.Set("failures", cost.failures);
          return out;
        });
  });
}

Napi::Value EngineModel::take_logits(const Napi::CallbackInfo& info) {
  Napi::Env env = info.Env();
  return guard(env, [&]() -> Napi::Value {
    auto* copy = dynamic_cast<metrics::CopyReducer*>(state_->baseline.get());
    if (copy == nullptr) throw Error(Code::kBadArgument, "the model was not opened to copy logits");
    std::lock_guard turn(state_->decode);
    auto rows = std::make_unique<std::vector<float>>(copy->take());
    if (rows->empty()) return Napi::Float32Array::New(env, 0);
    // The memory itself goes to JavaScript, and is freed with the array.
    const size_t values = rows->size();
    const auto buffer = Napi::ArrayBuffer::New(
        env, rows->data(), values * sizeof(float),
        [](Napi::Env, void*, std::vector<float>* owned) { delete owned; }, rows.get());
    rows.release();
    return Napi::Float32Array::New(env, values, buffer, 0);
  });
}

Napi::Value EngineModel::close(const Napi::CallbackInfo& info) {
  return PromiseWorker<bool>::start(
      info.Env(),
      [state = state_] {
        std::unique_lock lock(state->life);
        const bool was_open = state->model.has_value();
        state->context.reset();
        state->model.reset();
        return was_open;
      },
      [](Napi::Env env, bool&) -> Napi::Value { return env.Undefined(); });
}

}  // namespace logit_audit::addon
