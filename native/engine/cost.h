// What a window of requests would cost, known without decoding anything: the plan that observe follows,
// counted.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/context.h"
#include "engine/model.h"
#include "engine/request.h"

namespace logit_audit {

struct Cost {
  // What observe would report of the same requests.
  uint64_t decoded_tokens = 0;
  uint64_t naive_tokens = 0;
  // Requests that would fail before anything is decoded: they cost nothing.
  uint32_t failures = 0;
};

Cost cost_of(const Model& model, const Context& context, const std::vector<Request>& requests);

}  // namespace logit_audit
