#include "engine/generation.h"

#include <algorithm>
#include <utility>

#include "engine/following.h"
#include "engine/tokenizer.h"
#include "error.h"

namespace logit_audit {

namespace {

bool grows(const Request& request) {
  return request.kind == RequestKind::kGenerate ||
         (request.kind == RequestKind::kPair && request.pair_steps == PairSteps::kDecode);
}

// The draws and bounds of what stands behind a text. Throws bad_argument where they cannot be.
std::unique_ptr<TokenChoice> choice_of_then(const llama_vocab* vocab, const Request& request) {
  if (!request.then) return nullptr;
  if (request.then->decoding.max_tokens == 0)
    throw Error(Code::kBadArgument, "then.maxTokens must be at least 1");
  return std::make_unique<TokenChoice>(vocab, request.then->decoding);
}

}  // namespace

void Generation::add_growth(Growth&& growth) {
  growth_of_.emplace(growth.sequence, growths_.size());
  growths_.push_back(std::move(growth));
}

void Generation::lose(Growth& growth, const Error& error) {
  growth.ended = true;
  growth.lost = true;
  if (!growth.follows) reduction_->add_failure(growth.request, error);
}

void Generation::take_up(const std::vector<Request>& requests, Reduction& reduction) {
  reduction_ = &reduction;
  requests_ = &requests;
  const std::vector<Sequence>& sequences = reduction.sequences();
  for (uint32_t s = 0; s < sequences.size(); ++s) {
    const Sequence& sequence = sequences[s];
    const Request& request = requests[sequence.request];
    if (!grows(request) || sequence.side != 0) continue;
    try {
      Growth growth = {sequence.request,
                       s,
                       request.kind == RequestKind::kPair,
                       s + 1,
                       request.decoding.max_tokens,
                       TokenChoice(model_.vocab(), request.decoding),
                       GeneratedText(request.decoding.stop),
                       choice_of_then(model_.vocab(), request)};
      add_growth(std::move(growth));
    } catch (const Error& error) {
      reduction.add_failure(sequence.request, error);
    }
  }
}

void Generation::choose(const std::vector<TappedRow>& rows) {
  for (const TappedRow& tapped : rows) {
    const auto found = growth_of_.find(tapped.sequence);
    if (found == growth_of_.end()) continue;
    Growth& growth = growths_[found->second];
    try {
      if (!reduction_->failed(growth.request)) choose_one(growth, tapped);
    } catch (const Error& error) {
      lose(growth, error);
    }
    if (reduction_->failed(growth.request)) growth.ended = true;
  }
}

void Generation::choose_one(Growth& growth, const TappedRow& tapped) {
  const llama_token token = growth.choice.next(metrics::host_logits(tapped.row, vocab_, host_row_));
  reduction_->set_target(tapped, token);
  growth.log_prob += reduction_->log_prob(tapped.sequence, tapped.step);
  growth.tokens.push_back(token);
  const auto end_with = [&](Finish finish) {
    growth.ended = true;
    growth.finish = finish;
  };
  if (llama_vocab_is_eog(model_.vocab(), token)) return end_with(Finish::kEnd);
  if (growth.text.add(continuing_piece(model_.vocab(), token))) return end_with(Finish::kStop);
  if (growth.tokens.size() == growth.max_tokens) return end_with(Finish::kLength);
  if (context_is_full(growth)) return end_with(Finish::kContext);
  go_on(growth);
}

bool Generation::context_is_full(const Growth& growth) const {
  const auto full = [&](uint32_t sequence) {
    return reduction_->sequences()[sequence].steps.back().position + 1 >= context_length_;
  };
  return full(growth.sequence) || (growth.has_swap && full(growth.swap));
}

void Generation::go_on(Growth& growth) {
  const auto add_step = [&](uint32_t sequence) {
    return reduction_->add_step(sequence, reduction_->sequences()[sequence].steps.back().position + 1);
  };
  const uint32_t step = add_step(growth.sequence);
  if (growth.has_swap) reduction_->add_pair(growth.sequence, step, growth.swap, add_step(growth.swap));
}

std::vector<NextToken> Generation::next_tokens(const Batch& batch,
                                               const std::vector<uint32_t>& slot_of) const {
  std::vector<NextToken> next;
  for (const uint32_t s : batch.sequences) {
    const auto found = growth_of_.find(s);
    if (found == growth_of_.end() || growths_[found->second].ended) continue;
    const Growth& growth = growths_[found->second];
    const auto add = [&](uint32_t sequence) {
      const std::vector<Step>& steps = reduction_->sequences()[sequence].steps;
      next.push_back({sequence, static_cast<uint32_t>(steps.size()) - 1, slot_of[sequence],
                      growth.tokens.back(), steps.back().position});
    };
    // Side by side, so that both rows are there at once.
    add(growth.sequence);
    if (growth.has_swap) add(growth.swap);
  }
  return next;
}

uint64_t Generation::run(Context& context, const Batch& batch, const std::atomic<bool>& cancel) {
  std::vector<uint32_t> slot_of(reduction_->sequences().size(), 0);
  for (uint32_t slot = 0; slot < batch.sequences.size(); ++slot) slot_of[batch.sequences[slot]] = slot;
  uint64_t decoded = 0;
  for (;;) {
    const std::vector<NextToken> next = next_tokens(batch, slot_of);
    if (next.empty()) return decoded;
    check_cancelled(cancel);
    decode_next(context, next, [&](const std::vector<TappedRow>& rows) {
      reduction_->reduce(rows);
      choose(rows);
    });
    decoded += next.size();
  }
}

Batch Generation::take_up_following(const Context& context, const Batch& batch) {
  Batch out;
  out.sequences = batch.sequences;
  out.cached.assign(batch.sequences.size(), 0);
  for (uint32_t slot = 0; slot < batch.sequences.size(); ++slot) {
    const auto found = growth_of_.find(batch.sequences[slot]);
    if (found == growth_of_.end()) continue;
    Growth& written = growths_[found->second];
    if (written.then_choice == nullptr || reduction_->failed(written.request)) continue;
    if (cut_ && !holds_whole(context, slot)) continue;
    const Request& request = (*requests_)[written.request];
    std::optional<Following> following =
        following_of(model_.vocab(), request, reduction_->sequences()[written.sequence], written.tokens,
                     written.text.text(), cut_);
    if (!following) continue;
    Sequence sequence;
    sequence.request = written.request;
    sequence.rows = false;
    sequence.listed = false;
    sequence.tokens = std::move(following->tokens);
    const auto size = static_cast<uint32_t>(sequence.tokens.size());
    sequence.steps = {{size - 1, kNoTarget}};
    out.sequences[slot] = reduction_->add_sequence(std::move(sequence));
    out.cached[slot] = following->kept;
    out.runs.push_back({slot, 1, following->kept, size});
    Growth growth = {written.request,
                     out.sequences[slot],
                     false,
                     0,
                     request.then->decoding.max_tokens,
                     std::move(*written.then_choice),
                     GeneratedText(request.then->decoding.stop),
                     nullptr,
                     true};
    add_growth(std::move(growth));
  }
  return out;
}

void Generation::finish(Observations& out) const {
  std::vector<const Growth*> reported;
  for (const Growth& growth : growths_) {
    if (!growth.lost && !reduction_->failed(growth.request)) reported.push_back(&growth);
  }
  std::stable_sort(reported.begin(), reported.end(),
                   [](const Growth* a, const Growth* b) { return a->request < b->request; });
  for (const Growth* one : reported) {
    const Growth& growth = *one;
    GenerationTable& table = growth.follows ? out.followed : out.generations;
    table.request.push_back(growth.request);
    table.finish.push_back(static_cast<uint8_t>(growth.finish));
    table.texts.push_back(growth.text.text());
    table.log_prob.push_back(growth.log_prob);
    table.ids.insert(table.ids.end(), growth.tokens.begin(), growth.tokens.end());
    table.offsets.push_back(static_cast<uint32_t>(table.ids.size()));
  }
}

}  // namespace logit_audit
