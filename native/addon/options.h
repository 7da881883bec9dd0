// The options of an opened model, as JavaScript gives them.
#pragma once

#include <napi.h>

#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/model.h"

namespace logit_audit::addon {

// What weights, device and adapters depend on. Throws bad_argument naming the option.
ModelOptions model_options(const Napi::Object& options);

// What the context depends on. Throws bad_argument naming the option.
ContextOptions context_options(const Napi::Object& options);

Napi::Array texts_to_js(Napi::Env env, const std::vector<std::string>& texts);

// contextShape(options, {vocabSize, trainedContextLength}): what the options come to, without a model.
Napi::Value context_shape_to_js(const Napi::CallbackInfo& info);

}  // namespace logit_audit::addon
