// Observations as JavaScript columns: typed arrays in the shapes that src/native/engine.ts types.
#pragma once

#include <napi.h>

#include <vector>

#include "engine/observations.h"

namespace logit_audit::addon {

Napi::Object observations_to_js(Napi::Env env, const Observations& observations);

Napi::Object threads_to_js(Napi::Env env, const ThreadChoice& choice);

Napi::Int32Array tokens_to_js(Napi::Env env, const std::vector<int32_t>& tokens);

}  // namespace logit_audit::addon
