#include "addon/errors.h"

#include <new>

namespace logit_audit::addon {

Napi::Object data_to_js(Napi::Env env, const ErrorData& data) {
  Napi::Object object = Napi::Object::New(env);
  for (const auto& [key, value] : data) {
    if (const double* number = std::get_if<double>(&value)) {
      object.Set(key, *number);
    } else {
      object.Set(key, std::get<std::string>(value));
    }
  }
  return object;
}

Napi::Error to_js(Napi::Env env, const Error& error) {
  Napi::Error js = Napi::Error::New(env, error.what());
  js.Value().Set("code", code_name(error.code()));
  js.Value().Set("data", data_to_js(env, error.data()));
  return js;
}

Error to_error(std::exception_ptr thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(Code::kEngineFailed, "out of memory; lower the context length or the batch");
  } catch (const std::exception& error) {
    return Error(Code::kInternal, error.what());
  } catch (...) {
    return Error(Code::kInternal, "an unknown native fault");
  }
}

}  // namespace logit_audit::addon
