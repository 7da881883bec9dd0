// EngineModel: an open model with its context, as JavaScript sees it. Work on one model runs one call after
// the other; several models run side by side.
#pragma once

#include <napi.h>

#include <memory>

namespace logit_audit::addon {

class EngineModel : public Napi::ObjectWrap<EngineModel> {
 public:
  struct State;

  static Napi::Function define(Napi::Env env);
  // openModel(path, options, reducer = "cpu"): Promise<EngineModel>. Other reducers: metrics/baseline.h.
  static Napi::Value open(const Napi::CallbackInfo& info);

  explicit EngineModel(const Napi::CallbackInfo& info);

 private:
  Napi::Value info(const Napi::CallbackInfo& info);
  Napi::Value tokenize(const Napi::CallbackInfo& info);
  Napi::Value tokenize_joint(const Napi::CallbackInfo& info);
  Napi::Value piece(const Napi::CallbackInfo& info);
  Napi::Value detokenize(const Napi::CallbackInfo& info);
  Napi::Value observe(const Napi::CallbackInfo& info);
  Napi::Value cost(const Napi::CallbackInfo& info);
  Napi::Value take_logits(const Napi::CallbackInfo& info);
  Napi::Value close(const Napi::CallbackInfo& info);

  std::shared_ptr<State> state_;
};

}  // namespace logit_audit::addon
