#include "engine/observe.h"

#include "engine/embed.h"
#include "engine/error.h"
#include "engine/generation.h"
#include "engine/plan.h"
#include "engine/reduction.h"
#include "engine/tap.h"

namespace logit_audit {

Observations observe(const Model& model, Context& context, const metrics::Reducer& reducer,
                     const std::vector<Request>& requests, const metrics::Request& measure,
                     const std::atomic<bool>& cancel) {
  Reduction reduction(reducer, measure, static_cast<size_t>(model.info().vocab_size));
  for (uint32_t index = 0; index < requests.size(); ++index) {
    if (requests[index].kind == RequestKind::kEmbed) continue;
    try {
      reduction.add_request(make_sequences(model, requests[index], index, context.context_length()));
    } catch (const Error& error) {
      reduction.add_failure(index, error);
    }
  }

  Generation generation(model, context, requests, reduction);
  uint64_t decoded = 0;
  uint64_t naive = 0;
  for (const Sequence& sequence : reduction.sequences()) naive += sequence.tokens.size();
  const CancelScope scope(context, cancel);
  // Whatever a window before left in memory is not of this plan.
  clear_memory(context);
  for (const Batch& batch : plan_batches(reduction.sequences(), context.plan())) {
    if (cancel.load(std::memory_order_relaxed))
      throw Error(Code::kCancelled, "the observation was cancelled");
    decode_batch(context, reduction.sequences(), batch, [&](const std::vector<TappedRow>& rows) {
      reduction.reduce(rows);
      generation.choose(rows);
    });
    const uint64_t grown = generation.run(context, batch, cancel);
    decoded += batch.decoded_tokens() + grown;
    naive += grown;
  }
  EmbeddingTable embeddings;
  const uint64_t embedded = embed_texts(model, context, requests, reduction, embeddings, cancel);
  Observations out = reduction.finish();
  generation.finish(out);
  out.embeddings = std::move(embeddings);
  out.decoded_tokens = decoded + embedded;
  out.naive_tokens = naive + embedded;
  return out;
}

}  // namespace logit_audit
