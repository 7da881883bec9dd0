// The one way work leaves the event loop: a task that runs on a libuv thread and settles a promise.
#pragma once

#include <napi.h>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "addon/errors.h"

namespace logit_audit::addon {

template <typename Result>
class PromiseWorker final : public Napi::AsyncWorker {
 public:
  using Work = std::function<Result()>;
  using Deliver = std::function<Napi::Value(Napi::Env, Result&)>;

  // `work` runs off the event loop and must not touch JavaScript; `deliver` runs on it and makes the value.
  static Napi::Promise start(Napi::Env env, Work work, Deliver deliver) {
    auto* worker = new PromiseWorker(env, std::move(work), std::move(deliver));
    Napi::Promise promise = worker->deferred_.Promise();
    worker->Queue();
    return promise;
  }

 private:
  PromiseWorker(Napi::Env env, Work work, Deliver deliver)
      : Napi::AsyncWorker(env, "logit-audit"),
        deferred_(Napi::Promise::Deferred::New(env)),
        work_(std::move(work)),
        deliver_(std::move(deliver)) {}

  void Execute() override {
    try {
      result_.emplace(work_());
    } catch (...) {
      failure_ = std::make_unique<Error>(to_error(std::current_exception()));
    }
  }

  void OnOK() override {
    Napi::HandleScope scope(Env());
    if (failure_) {
      deferred_.Reject(to_js(Env(), *failure_).Value());
      return;
    }
    try {
      deferred_.Resolve(deliver_(Env(), *result_));
    } catch (const Napi::Error& error) {
      deferred_.Reject(error.Value());
    } catch (...) {
      deferred_.Reject(to_js(Env(), to_error(std::current_exception())).Value());
    }
  }

  Napi::Promise::Deferred deferred_;
  Work work_;
  Deliver deliver_;
  std::optional<Result> result_;
  std::unique_ptr<Error> failure_;
};

}  // namespace logit_audit::addon
