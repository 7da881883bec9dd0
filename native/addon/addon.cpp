// The engine addon's exports. src/native/engine.ts types them, and a test holds the two against each other.
#include <napi.h>

#include "addon/cancel_flag.h"
#include "addon/engine_model.h"
#include "addon/options.h"
#include "addon/system_info.h"
#include "engine/log.h"
#include "error.h"
#include "llama.h"

namespace logit_audit::addon {

namespace {

Napi::Value error_codes(const Napi::CallbackInfo& info) {
  Napi::Array codes = Napi::Array::New(info.Env());
  for (const std::string& name : all_code_names()) codes.Set(codes.Length(), name);
  return codes;
}

Napi::Object initialize(Napi::Env env, Napi::Object exports) {
  // Once a process, however many threads load the addon.
  static const bool ready = [] {
    install_log_capture();
    llama_backend_init();
    return true;
  }();
  (void)ready;
  exports.Set("EngineModel", EngineModel::define(env));
  exports.Set("CancelFlag", CancelFlag::define(env));
  exports.Set("openModel", Napi::Function::New(env, EngineModel::open, "openModel"));
  exports.Set("contextShape", Napi::Function::New(env, context_shape_to_js, "contextShape"));
  exports.Set("system", Napi::Function::New(env, system_info_to_js, "system"));
  exports.Set("errorCodes", Napi::Function::New(env, error_codes, "errorCodes"));
  return exports;
}

}  // namespace

NODE_API_MODULE(engine, initialize)

}  // namespace logit_audit::addon
