// From requests to columns of numbers: sequences, plan, decode, and every wanted row reduced where it lies.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "engine/context.h"
#include "engine/model.h"
#include "engine/observations.h"
#include "engine/request.h"
#include "metrics/metrics.h"

namespace logit_audit {

// A window of requests on its way: first made ready, which needs the vocabulary alone, then run. So the next
// window can be made ready while one is decoded.
class Window {
 public:
  // Tokenizes and plans. A text that is empty or does not fit is a failure of its request alone. Throws
  // bad_argument and out_of_range where the measure fits no vocabulary. All but `context` are kept, and
  // outlive it.
  Window(const Model& model, const Context& context, const metrics::Reducer& reducer,
         const std::vector<Request>& requests, const metrics::Request& measure);
  ~Window();

  // Decodes, once; one window at a time on a context. A row of logits that is no row is a failure of its
  // request alone. Throws cancelled, and engine_failed where llama.cpp could not decode.
  Observations run(Context& context, const std::atomic<bool>& cancel);

 private:
  struct Parts;
  struct DecodedTokens {
    uint64_t decoded = 0;
    uint64_t naive = 0;
  };
  void follow(Context& context, size_t at, const std::atomic<bool>& cancel, DecodedTokens& tokens);
  std::unique_ptr<Parts> parts_;
};

// Both at once.
Observations observe(const Model& model, Context& context, const metrics::Reducer& reducer,
                     const std::vector<Request>& requests, const metrics::Request& measure,
                     const std::atomic<bool>& cancel);

}  // namespace logit_audit
