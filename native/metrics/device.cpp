#include "metrics/device.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "metrics/finish.h"

namespace logit_audit::metrics {

namespace {

// Tasks on neighbouring rows of one tensor.
struct Chunk {
  const ggml_tensor* tensor = nullptr;
  size_t first = 0;
  size_t count = 0;
  std::vector<RowTask*> tasks;
};

// Cuts tasks into runs of at most `most` rows. Rows between, of which nothing is wanted, are swept along.
std::vector<Chunk> cut(std::vector<RowTask>& tasks, size_t most) {
  std::vector<RowTask*> sorted;
  for (RowTask& task : tasks) sorted.push_back(&task);
  std::stable_sort(sorted.begin(), sorted.end(), [](const RowTask* a, const RowTask* b) {
    return std::tie(a->row.tensor, a->row.index) < std::tie(b->row.tensor, b->row.index);
  });
  std::vector<Chunk> chunks;
  for (RowTask* task : sorted) {
    const Row& row = task->row;
    if (chunks.empty() || chunks.back().tensor != row.tensor || row.index >= chunks.back().first + most) {
      chunks.push_back({row.tensor, row.index, 0, {}});
    }
    Chunk& chunk = chunks.back();
    chunk.count = row.index - chunk.first + 1;
    chunk.tasks.push_back(task);
  }
  return chunks;
}

bool in_vocabulary(int32_t target, size_t vocab) {
  return target >= 0 && static_cast<size_t>(target) < vocab;
}

// Gives the batch the targets of its rows; where each task's target came to lie, in order of tasks.
std::vector<size_t> lay_out_targets(const Chunk& chunk, size_t vocab, RowBatch& batch) {
  std::vector<size_t> of_row(chunk.count, 0);
  std::vector<size_t> place;
  for (const RowTask* task : chunk.tasks) {
    size_t& used = of_row[task->row.index - chunk.first];
    place.push_back(used);
    if (in_vocabulary(task->target, vocab)) ++used;
    batch.targets_per_row = std::max(batch.targets_per_row, used);
  }
  batch.targets.assign(chunk.count * batch.targets_per_row, 0);
  for (size_t i = 0; i < chunk.tasks.size(); ++i) {
    place[i] += (chunk.tasks[i]->row.index - chunk.first) * batch.targets_per_row;
    if (in_vocabulary(chunk.tasks[i]->target, vocab)) batch.targets[place[i]] = chunk.tasks[i]->target;
  }
  return place;
}

// What a pair needs of one of its rows.
struct SideState {
  bool sound = false;
  PairSide side;
  std::vector<int32_t> top_ids;
};

using RowKey = std::pair<const ggml_tensor*, size_t>;

RowKey key_of(const Row& row) { return {row.tensor, row.index}; }

}  // namespace

DeviceBudget device_budget(const Footprint& footprint, size_t vocab, size_t most_rows, size_t memory) {
  const auto& [row, pair] = footprint;
  DeviceBudget budget;
  budget.rows = std::min(memory / row, most_rows);
  budget.pairs = std::min(memory / pair, most_rows);
  budget.bytes = std::max(budget.rows * row, budget.pairs * pair);
  if (budget.rows == 0 || budget.pairs == 0) {
    const auto mib = [](size_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; };
    throw Error(
        Code::kEngineFailed,
        "the device has " + mib(memory) + " left for metrics, and one pair of rows of " +
            std::to_string(vocab) + " logits takes " + mib(std::max(row, pair)) +
            "; lower --ctx or --batch, put fewer layers on the device (--gpu-layers), or take "
            "--metrics-impl cpu",
        {{"free", static_cast<double>(memory)}, {"needed", static_cast<double>(std::max(row, pair))}});
  }
  return budget;
}

DeviceReducer::DeviceReducer(std::unique_ptr<Kernels> kernels, size_t vocab, size_t most_rows, size_t memory)
    : kernels_(std::move(kernels)), budget_(device_budget(kernels_->footprint(), vocab, most_rows, memory)) {}

void DeviceReducer::check(const Request& request, size_t vocab) const {
  cpu_->check(request, vocab);
  const auto check_top = [&](size_t k, const char* what) {
    if (std::min(k, vocab) <= kernels_->most_top()) return;
    throw Error(Code::kBadArgument,
                "a top K of " + std::to_string(k) + " is asked (" + what + "), and the metrics on " + name() +
                    " go up to " + std::to_string(kernels_->most_top()) +
                    "; ask for less or take --metrics-impl cpu",
                {{"k", static_cast<double>(k)}});
  };
  check_top(request.top_k, "likeliest tokens");
  for (const size_t k : request.pair_top_k) check_top(k, "divergence");
}

void DeviceReducer::rows_on_cpu(std::vector<RowTask*>& tasks, size_t vocab, const Request& request) const {
  handed_to_cpu_ += tasks.size();
  for (RowTask* task : tasks) {
    std::vector<RowTask> one = {*task};
    cpu_->reduce_rows(one, vocab, request);
    task->fault = one.front().fault;
  }
}

void DeviceReducer::pairs_on_cpu(std::vector<PairTask*>& tasks, size_t vocab, const Request& request) const {
  handed_to_cpu_ += 2 * tasks.size();
  for (PairTask* task : tasks) {
    std::vector<PairTask> one = {*task};
    cpu_->reduce_pairs(one, vocab, request);
    task->fault = one.front().fault;
  }
}

void DeviceReducer::reduce_rows(std::vector<RowTask>& tasks, size_t vocab, const Request& request) const {
  std::vector<RowTask*> left;
  for (const Chunk& chunk : cut(tasks, budget_.rows)) {
    const bool records =
        std::any_of(chunk.tasks.begin(), chunk.tasks.end(), [](const RowTask* task) { return task->record; });
    RowBatch batch;
    batch.tensor = chunk.tensor;
    batch.first = chunk.first;
    batch.count = chunk.count;
    const size_t wanted = std::min(request.top_k, vocab);
    if (records) {
      batch.groups = &request;
      batch.top = std::max<size_t>(wanted, 1);
    }
    const std::vector<size_t> targets = lay_out_targets(chunk, vocab, batch);
    const RowSums sums = kernels_->rows(batch);
    for (size_t i = 0; i < chunk.tasks.size(); ++i) {
      RowTask& task = *chunk.tasks[i];
      const size_t row = task.row.index - chunk.first;
      const bool has_target = task.target != kNoTarget;
      if (!is_sound(sums, row) || (has_target && !in_vocabulary(task.target, vocab))) {
        left.push_back(&task);
        continue;
      }
      const RowState state = state_of(sums, row, vocab);
      if (task.record) finish_row(sums, row, state, request, batch.top, wanted, task.out);
      if (has_target) finish_target(sums, targets[i], state, task.target_out);
    }
  }
  rows_on_cpu(left, vocab, request);
}

void DeviceReducer::reduce_pairs(std::vector<PairTask>& tasks, size_t vocab, const Request& request) const {
  const std::vector<size_t>& ks = request.pair_top_k;
  const size_t top = ks.empty() ? 0 : std::min(*std::max_element(ks.begin(), ks.end()), vocab);
  // First each row: its logsumexp and its top list.
  std::map<RowKey, SideState> states;
  for (const PairTask& task : tasks) {
    states[key_of(task.a)];
    states[key_of(task.b)];
  }
  std::vector<RowTask> rows;
  for (const auto& [key, _] : states) {
    RowTask one;
    one.row = {nullptr, key.first, key.second};
    rows.push_back(one);
  }
  for (const Chunk& chunk : cut(rows, budget_.rows)) {
    RowBatch batch;
    batch.tensor = chunk.tensor;
    batch.first = chunk.first;
    batch.count = chunk.count;
    batch.top = std::max<size_t>(top, 1);
    const RowSums sums = kernels_->rows(batch);
    for (const RowTask* task : chunk.tasks) {
      const size_t row = task->row.index - chunk.first;
      SideState& state = states[key_of(task->row)];
      state.sound = is_sound(sums, row);
      if (!state.sound) continue;
      state.side = side_of(state_of(sums, row, vocab));
      const auto begin = sums.top_ids.begin() + static_cast<std::ptrdiff_t>(row * batch.top);
      state.top_ids.assign(begin, begin + static_cast<std::ptrdiff_t>(top));
    }
  }

  // Then both at once, pairs of the same two tensors together.
  std::map<std::pair<const ggml_tensor*, const ggml_tensor*>, std::vector<PairTask*>> groups;
  std::vector<PairTask*> left;
  for (PairTask& task : tasks) {
    const bool sound = states[key_of(task.a)].sound && states[key_of(task.b)].sound;
    if (sound) {
      groups[{task.a.tensor, task.b.tensor}].push_back(&task);
    } else {
      left.push_back(&task);
    }
  }
  for (const auto& [tensors, group] : groups) {
    for (size_t from = 0; from < group.size(); from += budget_.pairs) {
      const size_t count = std::min(budget_.pairs, group.size() - from);
      PairBatch batch;
      batch.tensor_a = tensors.first;
      batch.tensor_b = tensors.second;
      batch.vocab = vocab;
      batch.members = std::min(2 * top, vocab);
      std::vector<std::vector<Member>> members;
      for (size_t i = 0; i < count; ++i) {
        const PairTask& task = *group[from + i];
        const SideState& a = states[key_of(task.a)];
        const SideState& b = states[key_of(task.b)];
        batch.rows_a.push_back(static_cast<int32_t>(task.a.index));
        batch.rows_b.push_back(static_cast<int32_t>(task.b.index));
        batch.a.push_back(a.side);
        batch.b.push_back(b.side);
        members.push_back(unite(a.top_ids.data(), b.top_ids.data(), top));
        for (size_t m = 0; m < batch.members; ++m) {
          batch.member_ids.push_back(members.back()[std::min(m, members.back().size() - 1)].id);
        }
      }
      PairSums sums = kernels_->pairs(batch);
      bool again = false;
      for (size_t i = 0; i < count; ++i) {
        const PairCheck check = check_pair(batch, sums, i, members[i].size());
        if (!check.again) continue;
        correct(batch.a[i], batch.b[i], check.excess);
        again = true;
      }
      if (again) sums = kernels_->pairs(batch);
      for (size_t i = 0; i < count; ++i) {
        PairTask& task = *group[from + i];
        if (sums.far[i] > 0) {
          left.push_back(&task);
        } else {
          finish_pair(batch, sums, i, members[i], ks, task.out);
        }
      }
    }
  }
  pairs_on_cpu(left, vocab, request);
}

}  // namespace logit_audit::metrics
