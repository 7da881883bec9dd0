// Requests and measures from JavaScript, in the shapes that src/native/engine.ts types.
#pragma once

#include <napi.h>

#include <vector>

#include "engine/request.h"
#include "metrics/metrics.h"

namespace logit_audit::addon {

// [{kind: "probe" | "pair" | "score", texts: string[], special?: boolean, positions?: "last" | "all" |
// Uint32Array, steps?: "last" | "aligned"}]. Throws bad_argument naming the request and the key that is not
// as it should be.
std::vector<Request> requests_from_js(const Napi::Value& value);

// {groupIds: Int32Array, groupOffsets: Uint32Array, topK: number, pairTopK: Uint32Array}. Throws
// bad_argument.
metrics::Request measure_from_js(const Napi::Value& value);

}  // namespace logit_audit::addon
