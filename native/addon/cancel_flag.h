// CancelFlag: what an AbortSignal sets, and a running observation reads.
#pragma once

#include <napi.h>

#include <atomic>
#include <memory>

namespace logit_audit::addon {

using SharedFlag = std::shared_ptr<std::atomic<bool>>;

class CancelFlag : public Napi::ObjectWrap<CancelFlag> {
 public:
  static Napi::Function define(Napi::Env env);
  // The flag inside a JavaScript CancelFlag. Throws bad_argument for anything else.
  static SharedFlag unwrap(const Napi::Value& value);

  explicit CancelFlag(const Napi::CallbackInfo& info);

 private:
  void cancel(const Napi::CallbackInfo& info);

  SharedFlag flag_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace logit_audit::addon
