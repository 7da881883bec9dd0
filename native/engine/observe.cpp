#include "engine/observe.h"

#include "engine/error.h"
#include "engine/plan.h"
#include "engine/reduction.h"
#include "engine/tap.h"

namespace logit_audit {

Observations observe(const Model& model, Context& context, const metrics::Reducer& reducer,
                     const std::vector<Request>& requests, const metrics::Request& measure,
                     const std::atomic<bool>& cancel) {
  Reduction reduction(reducer, measure, static_cast<size_t>(model.info().vocab_size));
  for (uint32_t index = 0; index < requests.size(); ++index) {
    try {
      reduction.add_request(make_sequences(model, requests[index], index, context.context_length()));
    } catch (const Error& error) {
      reduction.add_failure(index, error);
    }
  }

  uint64_t decoded = 0;
  uint64_t naive = 0;
  for (const Sequence& sequence : reduction.sequences()) naive += sequence.tokens.size();
  const CancelScope scope(context, cancel);
  // Whatever a window before left in memory is not of this plan.
  clear_memory(context);
  for (const Batch& batch : plan_batches(reduction.sequences(), context.plan())) {
    if (cancel.load(std::memory_order_relaxed))
      throw Error(Code::kCancelled, "the observation was cancelled");
    decode_batch(context, reduction.sequences(), batch,
                 [&](const std::vector<TappedRow>& rows) { reduction.reduce(rows); });
    decoded += batch.decoded_tokens();
  }
  Observations out = reduction.finish();
  out.decoded_tokens = decoded;
  out.naive_tokens = naive;
  return out;
}

}  // namespace logit_audit
