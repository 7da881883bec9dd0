// The one place where a native fault becomes a JavaScript error: {code, message, data}.
#pragma once

#include <napi.h>

#include <exception>

#include "error.h"

namespace logit_audit::addon {

// A JavaScript Error with `code` and `data` as properties.
Napi::Error to_js(Napi::Env env, const Error& error);

Napi::Object data_to_js(Napi::Env env, const ErrorData& data);

// Any exception as an Error.
Error to_error(std::exception_ptr thrown);

// Runs the body of a synchronous method; every C++ fault leaves as a JavaScript error with a code.
template <typename Body>
Napi::Value guard(Napi::Env env, Body body) {
  try {
    return body();
  } catch (const Napi::Error&) {
    throw;
  } catch (...) {
    throw to_js(env, to_error(std::current_exception()));
  }
}

}  // namespace logit_audit::addon
