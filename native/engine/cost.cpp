#include "engine/cost.h"

#include <iterator>

#include "engine/plan.h"
#include "error.h"

namespace logit_audit {

Cost cost_of(const Model& model, const Context& context, const std::vector<Request>& requests) {
  Cost cost;
  std::vector<Sequence> sequences;
  for (uint32_t index = 0; index < requests.size(); ++index) {
    try {
      auto made = make_sequences(model, requests[index], index, context.context_length()).sequences;
      std::move(made.begin(), made.end(), std::back_inserter(sequences));
    } catch (const Error&) {
      ++cost.failures;
    }
  }
  for (const Sequence& sequence : sequences) cost.naive_tokens += sequence.tokens.size();
  for (const Batch& batch : plan_batches(sequences, context.plan()))
    cost.decoded_tokens += batch.decoded_tokens();
  return cost;
}

}  // namespace logit_audit
