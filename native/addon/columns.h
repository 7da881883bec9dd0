// Observations as JavaScript columns (typed arrays), and requests from JavaScript: the shapes that
// src/native/engine.ts types.
#pragma once

#include <napi.h>

#include "engine/observe.h"

namespace logit_audit::addon {

// {texts: string[], request: Uint32Array, side: Uint8Array}, and
// {groupIds: Int32Array, groupOffsets: Uint32Array, topK: number, pairTopK: Uint32Array}.
// Throws bad_argument naming the property that is not as it should be.
ObserveInput observe_input(const Napi::Object& sequences, const Napi::Object& measure);

Napi::Object observations_to_js(Napi::Env env, const Observations& observations);

Napi::Int32Array tokens_to_js(Napi::Env env, const std::vector<int32_t>& tokens);

}  // namespace logit_audit::addon
