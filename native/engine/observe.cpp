#include "engine/observe.h"

#include <utility>

#include "engine/embed.h"
#include "engine/generation.h"
#include "engine/plan.h"
#include "engine/reduction.h"
#include "engine/tap.h"
#include "error.h"

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

  void take_in(const std::vector<TappedRow>& rows) {
    reduction.reduce(rows);
    generation.choose(rows);
  }
};

Window::Window(const Model& model, const Context& context, const metrics::Reducer& reducer,
               const std::vector<Request>& requests, const metrics::Request& measure) {
  Reduction reduction = make_reduction(model, context, reducer, requests, measure);
  std::vector<Batch> batches = plan_batches(reduction.sequences(), context.plan());
  parts_.reset(
      new Parts{model, requests, std::move(reduction), Generation(model, context), std::move(batches)});
  parts_->generation.take_up(requests, parts_->reduction);
}

Window::~Window() = default;

// Continues the texts of a batch where they are, while the cache still holds them.
void Window::follow(Context& context, size_t at, const std::atomic<bool>& cancel, DecodedTokens& tokens) {
  Reduction& reduction = parts_->reduction;
  Generation& generation = parts_->generation;
  const Batch behind = generation.take_up_following(context, parts_->batches[at]);
  if (behind.runs.empty()) return;
  check_cancelled(cancel);
  const auto take_in = [&](const std::vector<TappedRow>& rows) { parts_->take_in(rows); };
  const bool last = at + 1 == parts_->batches.size();
  // A text that continues may be cut into its prompt, of which the next batch takes over what it was given.
  const KeptPrefix kept(context, last ? 0 : parts_->batches[at + 1].held_slot,
                        last ? 0 : parts_->batches[at + 1].held_tokens);
  // Where memory cannot be cut, as a request of its own would be: from an empty cache.
  tokens.decoded += context.plan().share() ? decode_behind(context, reduction.sequences(), behind, take_in)
                                           : decode_batch(context, reduction.sequences(), behind, take_in);
  const uint64_t grown = generation.run(context, behind, cancel);
  tokens.decoded += grown;
  for (const Run& run : behind.runs) tokens.naive += run.end;
  tokens.naive += grown;
}

Observations Window::run(Context& context, const std::atomic<bool>& cancel) {
  Reduction& reduction = parts_->reduction;
  Generation& generation = parts_->generation;
  DecodedTokens tokens;
  for (const Sequence& sequence : reduction.sequences()) tokens.naive += sequence.tokens.size();
  const CancelScope scope(context, cancel);
  // What an earlier window left in memory is not part of this plan.
  clear_memory(context);
  for (size_t at = 0; at < parts_->batches.size(); ++at) {
    const Batch& batch = parts_->batches[at];
    check_cancelled(cancel);
    // Nothing stays in memory for this batch.
    if (batch.held_tokens == 0) context.threads().reconsider();
    tokens.decoded += decode_batch(context, reduction.sequences(), batch,
                                   [&](const std::vector<TappedRow>& rows) { parts_->take_in(rows); });
    const uint64_t grown = generation.run(context, batch, cancel);
    tokens.decoded += grown;
    tokens.naive += grown;
    follow(context, at, cancel, tokens);
  }
  EmbeddingTable embeddings;
  const uint64_t embedded =
      embed_texts(parts_->model, context, parts_->requests, reduction, embeddings, cancel);
  Observations out = reduction.finish();
  generation.finish(out);
  out.embeddings = std::move(embeddings);
  out.decoded_tokens = tokens.decoded + embedded;
  out.naive_tokens = tokens.naive + embedded;
  out.threads = context.threads().choice();
  return out;
}

Observations observe(const Model& model, Context& context, const metrics::Reducer& reducer,
                     const std::vector<Request>& requests, const metrics::Request& measure,
                     const std::atomic<bool>& cancel) {
  return Window(model, context, reducer, requests, measure).run(context, cancel);
}

}  // namespace logit_audit
