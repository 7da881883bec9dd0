#include "engine/observe.h"

#include <utility>

#include "engine/embed.h"
#include "engine/error.h"
#include "engine/generation.h"
#include "engine/plan.h"
#include "engine/reduction.h"
#include "engine/tap.h"

namespace logit_audit {

namespace {

Reduction make_reduction(const Model& model, const Context& context, const metrics::Reducer& reducer,
                         const std::vector<Request>& requests, const metrics::Request& measure) {
  Reduction reduction(reducer, measure, static_cast<size_t>(model.info().vocab_size));
  for (uint32_t index = 0; index < requests.size(); ++index) {
    if (requests[index].kind == RequestKind::kEmbed) continue;
    try {
      reduction.add_request(make_sequences(model, requests[index], index, context.context_length()));
    } catch (const Error& error) {
      reduction.add_failure(index, error);
    }
  }
  return reduction;
}

}  // namespace

struct Window::Parts {
  const Model& model;
  const std::vector<Request>& requests;
  Reduction reduction;
  Generation generation;
  std::vector<Batch> batches;
};

Window::Window(const Model& model, const Context& context, const metrics::Reducer& reducer,
               const std::vector<Request>& requests, const metrics::Request& measure) {
  Reduction reduction = make_reduction(model, context, reducer, requests, measure);
  std::vector<Batch> batches = plan_batches(reduction.sequences(), context.plan());
  parts_.reset(new Parts{model, requests, std::move(reduction), Generation(model, context.context_length()),
                         std::move(batches)});
  parts_->generation.take_up(requests, parts_->reduction);
}

Window::~Window() = default;

Observations Window::run(Context& context, const std::atomic<bool>& cancel) {
  Reduction& reduction = parts_->reduction;
  Generation& generation = parts_->generation;
  uint64_t decoded = 0;
  uint64_t naive = 0;
  for (const Sequence& sequence : reduction.sequences()) naive += sequence.tokens.size();
  const CancelScope scope(context, cancel);
  // Whatever a window before left in memory is not of this plan.
  clear_memory(context);
  for (const Batch& batch : parts_->batches) {
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
  const uint64_t embedded =
      embed_texts(parts_->model, context, parts_->requests, reduction, embeddings, cancel);
  Observations out = reduction.finish();
  generation.finish(out);
  out.embeddings = std::move(embeddings);
  out.decoded_tokens = decoded + embedded;
  out.naive_tokens = naive + embedded;
  return out;
}

Observations observe(const Model& model, Context& context, const metrics::Reducer& reducer,
                     const std::vector<Request>& requests, const metrics::Request& measure,
                     const std::atomic<bool>& cancel) {
  return Window(model, context, reducer, requests, measure).run(context, cancel);
}

}  // namespace logit_audit
