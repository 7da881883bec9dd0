#include "addon/cancel_flag.h"

#include "error.h"

namespace logit_audit::addon {

namespace {

// Tells a CancelFlag from any other object before it is unwrapped.
constexpr napi_type_tag kTag = {0x6c6f6769742d6175ULL, 0x63616e63656c2e31ULL};

}  // namespace

Napi::Function CancelFlag::define(Napi::Env env) {
  return DefineClass(env, "CancelFlag", {InstanceMethod<&CancelFlag::cancel>("cancel")});
}

CancelFlag::CancelFlag(const Napi::CallbackInfo& info) : Napi::ObjectWrap<CancelFlag>(info) {
  info.This().As<Napi::Object>().TypeTag(&kTag);
}

SharedFlag CancelFlag::unwrap(const Napi::Value& value) {
  if (!value.IsObject() || !value.As<Napi::Object>().CheckTypeTag(&kTag)) {
    throw Error(Code::kBadArgument, "a CancelFlag was expected");
  }
  return Napi::ObjectWrap<CancelFlag>::Unwrap(value.As<Napi::Object>())->flag_;
}

void CancelFlag::cancel(const Napi::CallbackInfo&) { flag_->store(true, std::memory_order_relaxed); }

}  // namespace logit_audit::addon
