#include "engine/reduction.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace logit_audit {

namespace {

// Appends `width` values of item `from`.
template <typename T>
void append(std::vector<T>& out, const std::vector<T>& in, size_t from, size_t width = 1) {
  const auto begin = in.begin() + static_cast<std::ptrdiff_t>(from * width);
  out.insert(out.end(), begin, begin + static_cast<std::ptrdiff_t>(width));
}

}  // namespace

Reduction::Reduction(const metrics::Reducer& reducer, const metrics::Request& measure, size_t vocab)
    : reducer_(reducer), measure_(measure), vocab_(vocab), top_k_(std::min(measure.top_k, vocab)) {
  reducer.check(measure, vocab);
}

void Reduction::add_failure(uint32_t request, const Error& error) {
  failures_.emplace(request, RequestFailure{request, error.code(), error.what(), error.data()});
}

Reduction::Records Reduction::new_records(const Sequence& sequence, const Step& step) {
  Records records;
  if (sequence.rows) records.row = rows_++;
  if (step.target != kNoTarget) records.target = targets_++;
  return records;
}

uint32_t Reduction::add_sequence(Sequence&& sequence) {
  std::vector<Records>& records = records_.emplace_back();
  for (const Step& step : sequence.steps) records.push_back(new_records(sequence, step));
  sequences_.push_back(std::move(sequence));
  return static_cast<uint32_t>(sequences_.size()) - 1;
}

void Reduction::add_request(RequestSequences&& request) {
  for (Sequence& sequence : request.sequences) add_sequence(std::move(sequence));
  const auto last = static_cast<uint32_t>(sequences_.size()) - 1;
  for (const auto& [step, step_swap] : request.pairs) add_pair(last - 1, step, last, step_swap);
}

uint32_t Reduction::add_step(uint32_t sequence, uint32_t position) {
  Sequence& growing = sequences_[sequence];
  growing.steps.push_back({position, kNoTarget});
  records_[sequence].push_back(new_records(growing, growing.steps.back()));
  return static_cast<uint32_t>(growing.steps.size()) - 1;
}

void Reduction::add_pair(uint32_t sequence, uint32_t step, uint32_t sequence_swap, uint32_t step_swap) {
  const PairSlot slot = {sequences_[sequence].request, records_[sequence][step].row,
                         records_[sequence_swap][step_swap].row};
  pair_of_row_.emplace(slot.row, pairs_.size());
  pair_of_row_.emplace(slot.row_swap, pairs_.size());
  pairs_.push_back(slot);
}

void Reduction::set_target(const TappedRow& tapped, llama_token token) {
  sequences_[tapped.sequence].steps[tapped.step].target = token;
  const size_t target = targets_++;
  records_[tapped.sequence][tapped.step].target = target;
  resize();
  metrics::RowTask task;
  task.row = tapped.row;
  add_target(task, token, target);
  std::vector<metrics::RowTask> tasks = {task};
  reducer_.reduce_rows(tasks, vocab_, measure_);
  if (tasks.front().fault) throw Error(*tasks.front().fault);
}

double Reduction::log_prob(uint32_t sequence, uint32_t step) const {
  return target_table_.log_prob[records_[sequence][step].target];
}

void Reduction::resize() {
  row_table_.logsumexp.resize(rows_);
  row_table_.entropy.resize(rows_);
  row_table_.masses.resize(rows_ * measure_.groups());
  row_table_.top_k_ids.resize(rows_ * top_k_);
  row_table_.top_k_probs.resize(rows_ * top_k_);
  target_table_.log_prob.resize(targets_);
  target_table_.rank.resize(targets_);
  const size_t ks = measure_.pair_top_k.size();
  for (auto* column :
       {&pair_table_.jsd, &pair_table_.kl_pq, &pair_table_.kl_qp, &pair_table_.total_variation}) {
    column->resize(pairs_.size());
  }
  pair_table_.union_size.resize(pairs_.size() * ks);
  for (auto* column : {&pair_table_.partial, &pair_table_.lower, &pair_table_.upper}) {
    column->resize(pairs_.size() * ks);
  }
}

void Reduction::reduce(const std::vector<TappedRow>& rows) {
  resize();
  std::vector<metrics::RowTask> tasks;
  std::vector<uint32_t> requests;
  for (const TappedRow& tapped : rows) {
    const Sequence& sequence = sequences_[tapped.sequence];
    if (failed(sequence.request)) continue;
    const Records& records = records_[tapped.sequence][tapped.step];
    metrics::RowTask task;
    task.row = tapped.row;
    if (records.target != kNone) add_target(task, sequence.steps[tapped.step].target, records.target);
    if (records.row != kNone) add_record(task, records.row);
    if (records.target == kNone && records.row == kNone) continue;
    tasks.push_back(task);
    requests.push_back(sequence.request);
  }
  reducer_.reduce_rows(tasks, vocab_, measure_);
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].fault) add_failure(requests[i], *tasks[i].fault);
  }
  reduce_pairs(rows);
}

void Reduction::add_target(metrics::RowTask& task, llama_token token, size_t target) {
  task.target = token;
  task.target_out = {&target_table_.log_prob[target], &target_table_.rank[target]};
}

void Reduction::add_record(metrics::RowTask& task, size_t row) {
  task.record = true;
  task.out = {&row_table_.logsumexp[row], &row_table_.entropy[row],
              row_table_.masses.data() + row * measure_.groups(), row_table_.top_k_ids.data() + row * top_k_,
              row_table_.top_k_probs.data() + row * top_k_};
}

void Reduction::reduce_pairs(const std::vector<TappedRow>& rows) {
  std::unordered_map<size_t, metrics::Row> here;
  for (const TappedRow& tapped : rows) {
    const size_t row = records_[tapped.sequence][tapped.step].row;
    if (pair_of_row_.count(row) != 0) here.emplace(row, tapped.row);
  }
  std::vector<metrics::PairTask> tasks;
  std::vector<size_t> pairs;
  // Rows that were kept go once their pairs are reduced.
  std::vector<std::unique_ptr<metrics::KeptRow>> used;
  for (const auto& [row, logits] : here) {
    const size_t pair = pair_of_row_.at(row);
    const PairSlot& slot = pairs_[pair];
    const size_t partner = row == slot.row ? slot.row_swap : slot.row;
    const auto beside = here.find(partner);
    const auto waiting = waiting_.find(partner);
    metrics::Row other;
    if (beside != here.end()) {
      if (row != slot.row) continue;
      other = beside->second;
    } else if (waiting != waiting_.end()) {
      used.push_back(std::move(waiting->second));
      waiting_.erase(waiting);
      other = used.back()->row();
    } else {
      if (!failed(slot.request)) waiting_.emplace(row, metrics::keep_row(logits, vocab_));
      continue;
    }
    if (failed(slot.request)) continue;
    metrics::PairTask task;
    task.a = row == slot.row ? logits : other;
    task.b = row == slot.row ? other : logits;
    task.out = pair_record(pair);
    tasks.push_back(task);
    pairs.push_back(pair);
  }
  reducer_.reduce_pairs(tasks, vocab_, measure_);
  for (size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].fault) add_failure(pairs_[pairs[i]].request, *tasks[i].fault);
  }
}

metrics::PairRecord Reduction::pair_record(size_t pair) {
  const size_t at = pair * measure_.pair_top_k.size();
  return {&pair_table_.jsd[pair],
          &pair_table_.kl_pq[pair],
          &pair_table_.kl_qp[pair],
          &pair_table_.total_variation[pair],
          pair_table_.union_size.data() + at,
          pair_table_.partial.data() + at,
          pair_table_.lower.data() + at,
          pair_table_.upper.data() + at};
}

Observations Reduction::finish() {
  // Records of requests that failed before any row came.
  resize();
  Observations out;
  finish_rows(out);
  finish_pairs(out);
  finish_scores(out);
  finish_targets(out);
  finish_sequences(out);
  for (auto& [request, failure] : failures_) out.failures.push_back(failure);
  return out;
}

void Reduction::finish_rows(Observations& out) const {
  for (size_t s = 0; s < sequences_.size(); ++s) {
    const Sequence& sequence = sequences_[s];
    if (failed(sequence.request)) continue;
    for (size_t step = 0; step < sequence.steps.size(); ++step) {
      const size_t row = records_[s][step].row;
      if (row == kNone) continue;
      out.rows.request.push_back(sequence.request);
      out.rows.side.push_back(sequence.side);
      out.rows.position.push_back(sequence.steps[step].position);
      append(out.rows.logsumexp, row_table_.logsumexp, row);
      append(out.rows.entropy, row_table_.entropy, row);
      append(out.rows.masses, row_table_.masses, row, measure_.groups());
      append(out.rows.top_k_ids, row_table_.top_k_ids, row, top_k_);
      append(out.rows.top_k_probs, row_table_.top_k_probs, row, top_k_);
    }
  }
}

void Reduction::finish_pairs(Observations& out) const {
  const size_t ks = measure_.pair_top_k.size();
  // Rows of failed requests are gone: the others move up.
  std::vector<uint32_t> kept(rows_, 0);
  uint32_t next = 0;
  for (size_t s = 0; s < sequences_.size(); ++s) {
    if (failed(sequences_[s].request)) continue;
    for (const Records& records : records_[s]) {
      if (records.row != kNone) kept[records.row] = next++;
    }
  }
  // Pairs of growing sequences came as they grew, all requests in step.
  std::vector<size_t> order(pairs_.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return pairs_[a].request < pairs_[b].request; });
  for (const size_t pair : order) {
    const PairSlot& slot = pairs_[pair];
    if (failed(slot.request)) continue;
    out.pairs.request.push_back(slot.request);
    out.pairs.row.push_back(kept[slot.row]);
    out.pairs.row_swap.push_back(kept[slot.row_swap]);
    append(out.pairs.jsd, pair_table_.jsd, pair);
    append(out.pairs.kl_pq, pair_table_.kl_pq, pair);
    append(out.pairs.kl_qp, pair_table_.kl_qp, pair);
    append(out.pairs.total_variation, pair_table_.total_variation, pair);
    append(out.pairs.union_size, pair_table_.union_size, pair, ks);
    append(out.pairs.partial, pair_table_.partial, pair, ks);
    append(out.pairs.lower, pair_table_.lower, pair, ks);
    append(out.pairs.upper, pair_table_.upper, pair, ks);
  }
}

void Reduction::finish_scores(Observations& out) const {
  for (size_t s = 0; s < sequences_.size(); ++s) {
    const Sequence& sequence = sequences_[s];
    if (!sequence.scored || failed(sequence.request)) continue;
    double sum = 0;
    for (const Records& records : records_[s]) sum += target_table_.log_prob[records.target];
    out.scores.request.push_back(sequence.request);
    out.scores.side.push_back(sequence.side);
    out.scores.tokens.push_back(static_cast<uint32_t>(records_[s].size()));
    out.scores.bytes.push_back(sequence.scored_bytes);
    out.scores.log_prob.push_back(sum);
  }
}

void Reduction::finish_targets(Observations& out) const {
  for (size_t s = 0; s < sequences_.size(); ++s) {
    const Sequence& sequence = sequences_[s];
    if (!sequence.per_token || failed(sequence.request)) continue;
    for (size_t step = 0; step < sequence.steps.size(); ++step) {
      const size_t target = records_[s][step].target;
      if (target == kNone) continue;
      out.targets.request.push_back(sequence.request);
      out.targets.side.push_back(sequence.side);
      out.targets.position.push_back(sequence.steps[step].position);
      out.targets.token.push_back(sequence.steps[step].target);
      append(out.targets.log_prob, target_table_.log_prob, target);
      append(out.targets.rank, target_table_.rank, target);
    }
  }
}

void Reduction::finish_sequences(Observations& out) const {
  for (const Sequence& sequence : sequences_) {
    if (!sequence.listed || failed(sequence.request)) continue;
    SequenceTable& table = out.sequences;
    table.request.push_back(sequence.request);
    table.side.push_back(sequence.side);
    table.backed_off.push_back(sequence.backed_off ? 1 : 0);
    table.ids.insert(table.ids.end(), sequence.tokens.begin(), sequence.tokens.end());
    table.ids.insert(table.ids.end(), sequence.rest.begin(), sequence.rest.end());
    table.offsets.push_back(static_cast<uint32_t>(table.ids.size()));
  }
}

}  // namespace logit_audit
