#include "engine/tap.h"

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "engine/log.h"
#include "error.h"

namespace logit_audit {

namespace {

struct WantedRow {
  uint32_t sequence = 0;
  uint32_t step = 0;
  int32_t token = 0;    // index within the call
  uint32_t output = 0;  // index among the call's rows
};

// One call to llama_decode, filled token by token. A token belongs to one or more slots.
class Call {
 public:
  Call(Context& context, const std::function<void(const std::vector<TappedRow>&)>& on_rows)
      : context_(context),
        on_rows_(on_rows),
        batch_(llama_batch_init(static_cast<int32_t>(context.batch_tokens()), 0,
                                static_cast<int32_t>(context.slots()))) {}
  ~Call() { llama_batch_free(batch_); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  // `wanted`: the steps that need the row after this token; their place in the call is filled in here.
  void add(llama_token token, uint32_t position, const Run& run, const std::vector<WantedRow>& wanted) {
    const bool full = static_cast<uint32_t>(batch_.n_tokens) == context_.batch_tokens() ||
                      (!wanted.empty() && outputs_ == context_.max_outputs());
    if (full) flush();
    const int32_t at = batch_.n_tokens++;
    batch_.token[at] = token;
    batch_.pos[at] = static_cast<llama_pos>(position);
    batch_.n_seq_id[at] = static_cast<int32_t>(run.slots);
    for (uint32_t slot = 0; slot < run.slots; ++slot) {
      batch_.seq_id[at][slot] = static_cast<llama_seq_id>(run.first_slot + slot);
    }
    batch_.logits[at] = !wanted.empty();
    if (wanted.empty()) return;
    const uint32_t output = outputs_++;
    for (WantedRow row : wanted) {
      row.token = at;
      row.output = output;
      rows_.push_back(row);
    }
  }

  void flush() {
    if (batch_.n_tokens == 0) return;
    DeviceTap* device = context_.metrics().tap();
    if (device != nullptr) device->expect();
    decode_or_throw(context_, batch_);
    std::vector<TappedRow> tapped;
    tapped.reserve(rows_.size());
    const ggml_tensor* logits = nullptr;
    if (device != nullptr && outputs_ > 0) {
      logits = &device->logits(context_.get(), context_.vocab(), outputs_);
    }
    for (const WantedRow& row : rows_) {
      tapped.push_back({row.sequence, row.step,
                        logits != nullptr ? metrics::Row{nullptr, logits, row.output} : on_host(row.token)});
    }
    if (!tapped.empty()) on_rows_(tapped);
    batch_.n_tokens = 0;
    outputs_ = 0;
    rows_.clear();
  }

 private:
  metrics::Row on_host(int32_t token) const {
    const float* logits = llama_get_logits_ith(context_.get(), token);
    if (logits == nullptr) {
      throw Error(Code::kEngineFailed, "llama.cpp gave no logits; is it a causal language model?");
    }
    return {logits, nullptr, 0};
  }

  Context& context_;
  const std::function<void(const std::vector<TappedRow>&)>& on_rows_;
  llama_batch batch_;
  uint32_t outputs_ = 0;
  std::vector<WantedRow> rows_;
};

// The slot after the last one carries a prefix while others are emptied.
llama_seq_id carrier_of(const Context& context) { return static_cast<llama_seq_id>(context.slots()); }

// Leaves in memory of each slot that the batch decodes in what it says to be there.
void cut_slots(Context& context, const Batch& batch) {
  llama_memory_t memory = llama_get_memory(context.get());
  for (const Run& run : batch.runs) {
    const auto slot = static_cast<llama_seq_id>(run.first_slot);
    const auto kept = static_cast<llama_pos>(batch.cached[run.first_slot]);
    if (!llama_memory_seq_rm(memory, slot, kept, -1))
      throw Error(Code::kInternal, "llama.cpp could not cut a text in its memory");
  }
}

// The steps that want the row after each token of a batch, as its tokens come.
class WantedRows {
 public:
  WantedRows(const std::vector<Sequence>& sequences, const Batch& batch)
      : sequences_(sequences), batch_(batch), next_step_(batch.sequences.size(), 0) {
    for (uint32_t slot = 0; slot < next_step_.size(); ++slot) {
      // Those on what is in the cache were guests of another batch.
      const std::vector<Step>& steps = sequences[batch.sequences[slot]].steps;
      while (next_step_[slot] < steps.size() && steps[next_step_[slot]].position < batch.cached[slot])
        ++next_step_[slot];
    }
    for (const Guest& guest : batch.guests)
      guests_[{guest.slot, guest.position}].push_back({guest.sequence, guest.step, 0, 0});
  }

  const std::vector<WantedRow>& after(const Run& run, uint32_t position) {
    wanted_.clear();
    for (uint32_t slot = run.first_slot; slot < run.first_slot + run.slots; ++slot) {
      const uint32_t s = batch_.sequences[slot];
      uint32_t& step = next_step_[slot];
      if (step < sequences_[s].steps.size() && sequences_[s].steps[step].position == position) {
        wanted_.push_back({s, step, 0, 0});
        ++step;
      }
      if (guests_.empty()) continue;
      const auto here = guests_.find({slot, position});
      if (here != guests_.end()) wanted_.insert(wanted_.end(), here->second.begin(), here->second.end());
    }
    return wanted_;
  }

 private:
  const std::vector<Sequence>& sequences_;
  const Batch& batch_;
  std::vector<uint32_t> next_step_;
  // Slot and position -> steps of later batches.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<WantedRow>> guests_;
  std::vector<WantedRow> wanted_;
};

// Puts what the batch is to hold into memory again, under the carrier's id.
void decode_held_tokens(Context& context, const std::vector<Sequence>& sequences, const Batch& batch,
                        const std::function<void(const std::vector<TappedRow>&)>& on_rows) {
  clear_memory(context);
  Call call(context, on_rows);
  const Run held = {context.slots(), 1, 0, batch.held_tokens};
  // The first slot takes all of it.
  const auto& tokens = sequences[batch.sequences.front()].tokens;
  for (uint32_t position = 0; position < held.end; ++position) call.add(tokens[position], position, held, {});
  call.flush();
}

// Leaves in memory what the batch takes over from the one before, under the ids of its own slots. Gives the
// number of tokens that were decoded for it.
uint64_t take_over_prefix(Context& context, const std::vector<Sequence>& sequences, const Batch& batch,
                          const std::function<void(const std::vector<TappedRow>&)>& on_rows) {
  if (batch.held_tokens == 0) {
    clear_memory(context);
    return 0;
  }
  llama_memory_t memory = llama_get_memory(context.get());
  const llama_seq_id carrier = carrier_of(context);
  const bool whole = holds_whole(context, batch.held_slot);
  if (whole) {
    llama_memory_seq_cp(memory, static_cast<llama_seq_id>(batch.held_slot), carrier, 0,
                        static_cast<llama_pos>(batch.held_tokens));
    llama_memory_seq_keep(memory, carrier);
  } else {
    decode_held_tokens(context, sequences, batch, on_rows);
  }
  for (size_t slot = 0; slot < batch.cached.size(); ++slot) {
    if (batch.cached[slot] == 0) continue;
    llama_memory_seq_cp(memory, carrier, static_cast<llama_seq_id>(slot), 0,
                        static_cast<llama_pos>(batch.cached[slot]));
  }
  llama_memory_seq_rm(memory, carrier, -1, -1);
  return whole ? 0 : batch.held_tokens;
}

void decode_runs(Context& context, const std::vector<Sequence>& sequences, const Batch& batch,
                 const std::function<void(const std::vector<TappedRow>&)>& on_rows) {
  Call call(context, on_rows);
  WantedRows wanted(sequences, batch);
  for (const Run& run : batch.runs) {
    const auto& tokens = sequences[batch.sequences[run.first_slot]].tokens;
    for (uint32_t position = run.begin; position < run.end; ++position) {
      call.add(tokens[position], position, run, wanted.after(run, position));
    }
  }
  call.flush();
}

}  // namespace

void clear_memory(Context& context) { llama_memory_clear(llama_get_memory(context.get()), /*data=*/false); }

bool holds_whole(const Context& context, uint32_t slot) {
  return llama_memory_seq_pos_min(llama_get_memory(context.get()), static_cast<llama_seq_id>(slot)) == 0;
}

uint64_t decode_batch(Context& context, const std::vector<Sequence>& sequences, const Batch& batch,
                      const std::function<void(const std::vector<TappedRow>&)>& on_rows) {
  const uint64_t again = take_over_prefix(context, sequences, batch, on_rows);
  decode_runs(context, sequences, batch, on_rows);
  return again + batch.decoded_tokens();
}

uint64_t decode_behind(Context& context, const std::vector<Sequence>& sequences, const Batch& batch,
                       const std::function<void(const std::vector<TappedRow>&)>& on_rows) {
  cut_slots(context, batch);
  decode_runs(context, sequences, batch, on_rows);
  return batch.decoded_tokens();
}

KeptPrefix::KeptPrefix(Context& context, uint32_t slot, uint32_t tokens)
    : context_(context), slot_(slot), tokens_(tokens) {
  if (tokens_ == 0) return;
  llama_memory_seq_cp(llama_get_memory(context_.get()), static_cast<llama_seq_id>(slot_),
                      carrier_of(context_), 0, static_cast<llama_pos>(tokens_));
}

KeptPrefix::~KeptPrefix() {
  if (tokens_ == 0) return;
  llama_memory_t memory = llama_get_memory(context_.get());
  const auto slot = static_cast<llama_seq_id>(slot_);
  llama_memory_seq_rm(memory, slot, -1, -1);
  llama_memory_seq_cp(memory, carrier_of(context_), slot, 0, static_cast<llama_pos>(tokens_));
  llama_memory_seq_rm(memory, carrier_of(context_), -1, -1);
}

void decode_or_throw(Context& context, const llama_batch& batch) {
  ErrorLines lines;
  const auto start = std::chrono::steady_clock::now();
  const int32_t status = llama_decode(context.get(), batch);
  if (status == 0) {
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    context.threads().note(batch, took.count());
    return;
  }
  if (status == 2) throw Error(Code::kCancelled, "the observation was cancelled");
  throw Error(Code::kEngineFailed, "llama.cpp could not decode a batch of " + std::to_string(batch.n_tokens) +
                                       " tokens (status " + std::to_string(status) + ": " + lines.summary() +
                                       "); lower --batch or --ctx");
}

void decode_next(Context& context, const std::vector<NextToken>& tokens,
                 const std::function<void(const std::vector<TappedRow>&)>& on_rows) {
  Call call(context, on_rows);
  for (const NextToken& next : tokens) {
    const Run alone = {next.slot, 1, next.position, next.position + 1};
    call.add(next.token, next.position, alone, {{next.sequence, next.step, 0, 0}});
  }
  call.flush();
}

}  // namespace logit_audit
