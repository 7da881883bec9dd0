#include "engine/generation.h"

#include <utility>

#include "engine/error.h"
#include "engine/tokenizer.h"

namespace logit_audit {

namespace {

bool grows(const Request& request) {
  return request.kind == RequestKind::kGenerate ||
         (request.kind == RequestKind::kPair && request.pair_steps == PairSteps::kDecode);
}

}  // namespace

void Generation::take_up(const std::vector<Request>& requests, Reduction& reduction) {
  reduction_ = &reduction;
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
                       {}};
      growth_of_.emplace(s, growths_.size());
      growths_.push_back(std::move(growth));
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
      reduction_->add_failure(growth.request, error);
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
    if (cancel.load(std::memory_order_relaxed))
      throw Error(Code::kCancelled, "the observation was cancelled");
    decode_next(context, next, [&](const std::vector<TappedRow>& rows) {
      reduction_->reduce(rows);
      choose(rows);
    });
    decoded += next.size();
  }
}

void Generation::finish(Observations& out) const {
  GenerationTable& table = out.generations;
  for (const Growth& growth : growths_) {
    if (reduction_->failed(growth.request)) continue;
    table.request.push_back(growth.request);
    table.finish.push_back(static_cast<uint8_t>(growth.finish));
    table.texts.push_back(growth.text.text());
    table.log_prob.push_back(growth.log_prob);
    table.ids.insert(table.ids.end(), growth.tokens.begin(), growth.tokens.end());
    table.offsets.push_back(static_cast<uint32_t>(table.ids.size()));
  }
}

}  // namespace logit_audit
