// From requests to columns of numbers: sequences, plan, decode, and every wanted row reduced where it lies.
#pragma once

#include <atomic>
#include <vector>

#include "engine/context.h"
#include "engine/model.h"
#include "engine/observations.h"
#include "engine/request.h"
#include "metrics/metrics.h"

namespace logit_audit {

// Observes a window of requests. A text that is empty or does not fit, and a row of logits that is no row, is
// a failure of its request alone. Throws bad_argument and out_of_range where the measure fits no vocabulary,
// cancelled, and engine_failed where llama.cpp could not decode.
Observations observe(const Model& model, Context& context, const metrics::Reducer& reducer,
                     const std::vector<Request>& requests, const metrics::Request& measure,
                     const std::atomic<bool>& cancel);

}  // namespace logit_audit
