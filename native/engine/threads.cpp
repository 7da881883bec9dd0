#include "engine/threads.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "engine/cores.h"
#include "engine/log.h"
#include "error.h"

namespace logit_audit {

namespace {

using Clock = std::chrono::steady_clock;

// ggml's own limit.
constexpr uint32_t kMostCores = GGML_MAX_N_THREADS;
constexpr long kMostThreads = 1024;

// How much longer than the last trial is decoded before the next: where work is slow, and where it is not.
constexpr double kWhenSlow = 50;
constexpr double kWhenSteady = 200;

// 0 where the variable is not set.
uint32_t threads_of_environment() {
  const char* text = std::getenv("LOGIT_AUDIT_THREADS");
  if (text == nullptr) return 0;
  const long threads = std::strtol(text, nullptr, 10);
  if (threads < 1 || threads > kMostThreads) {
    throw Error(Code::kBadArgument,
                std::string("LOGIT_AUDIT_THREADS is \"") + text + "\"; give a number from 1 to 1024");
  }
  return static_cast<uint32_t>(threads);
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// Ids from all over the vocabulary: a model that routes tokens to experts uses all of them.
std::vector<llama_token> spread_tokens(size_t count, int32_t vocab) {
  std::vector<llama_token> tokens(count);
  for (size_t i = 0; i < count; ++i)
    tokens[i] = static_cast<llama_token>((i * 7919) % static_cast<size_t>(std::max(vocab, 1)));
  return tokens;
}

// One text, every token an output: what scoring a text costs.
class TrialBatch {
 public:
  explicit TrialBatch(const std::vector<llama_token>& tokens)
      : batch_(llama_batch_init(static_cast<int32_t>(tokens.size()), 0, 1)) {
    for (const llama_token token : tokens) {
      const int32_t at = batch_.n_tokens++;
      batch_.token[at] = token;
      batch_.pos[at] = at;
      batch_.n_seq_id[at] = 1;
      batch_.seq_id[at][0] = 0;
      batch_.logits[at] = 1;
    }
  }
  ~TrialBatch() { llama_batch_free(batch_); }
  TrialBatch(const TrialBatch&) = delete;
  TrialBatch& operator=(const TrialBatch&) = delete;
  const llama_batch& get() const { return batch_; }

 private:
  llama_batch batch_;
};

}  // namespace

const char* threads_by_name(ThreadsBy by) {
  switch (by) {
    case ThreadsBy::kOption:
      return "option";
    case ThreadsBy::kEnvironment:
      return "environment";
    case ThreadsBy::kOneCore:
      return "one_core";
    case ThreadsBy::kAccelerator:
      return "accelerator";
    case ThreadsBy::kFlashAttention:
      return "flash_attention";
    case ThreadsBy::kTrial:
      return "trial";
    case ThreadsBy::kUntried:
      break;
  }
  return "untried";
}

bool StopSign::is_up(void* sign) {
  const auto& self = *static_cast<const StopSign*>(sign);
  if (self.cancel != nullptr && self.cancel->load(std::memory_order_relaxed)) return true;
  return self.deadline && Clock::now() > *self.deadline;
}

Threads::Threads(const Model& model, uint32_t asked, bool flash_attention, StopSign& stop)
    : model_(model), stop_(stop) {
  const uint32_t named = asked != 0 ? 0 : threads_of_environment();
  choice_.cores = std::min(usable_cores(), kMostCores);
  if (asked != 0 || named != 0) {
    choice_.threads = std::max(asked, named);
    choice_.by = asked != 0 ? ThreadsBy::kOption : ThreadsBy::kEnvironment;
  } else if (model.is_offloaded()) {
    choice_.by = ThreadsBy::kAccelerator;
  } else if (choice_.cores == 1) {
    choice_.by = ThreadsBy::kOneCore;
  } else {
    choice_.threads = thread_candidates(choice_.cores).front();
    choice_.by = flash_attention ? ThreadsBy::kFlashAttention : ThreadsBy::kUntried;
  }
}

void Threads::use(uint32_t threads) {
  ggml_threadpool* pool = nullptr;
  if (threads > 1) {
    auto& owned = pools_[threads];
    if (!owned) {
      ggml_threadpool_params params = ggml_threadpool_params_default(static_cast<int>(threads));
      // Between two graphs threads sleep. The default would have them spin for up to a third of a second.
      params.poll = 0;
      owned.reset(ggml_threadpool_new(&params));
    }
    pool = owned.get();
  }
  llama_attach_threadpool(context_, pool, pool);
  llama_set_n_threads(context_, static_cast<int32_t>(threads), static_cast<int32_t>(threads));
}

std::optional<double> Threads::decode_once(uint32_t threads, double limit) {
  use(threads);
  const TrialBatch batch(tokens_);
  llama_memory_clear(llama_get_memory(context_), /*data=*/false);
  ErrorLines lines;
  const auto start = Clock::now();
  stop_.deadline = start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit));
  const int32_t status = llama_decode(context_, batch.get());
  stop_.deadline.reset();
  if (status != 0) return std::nullopt;
  llama_synchronize(context_);
  return seconds_since(start);
}

void Threads::try_all(uint32_t in_use) {
  const auto start = Clock::now();
  std::vector<ThreadRate> rates =
      time_candidates(thread_candidates(choice_.cores), tokens_.size(),
                      [this](uint32_t threads, double limit) { return decode_once(threads, limit); });
  llama_memory_clear(llama_get_memory(context_), /*data=*/false);
  if (stop_.cancel != nullptr && stop_.cancel->load(std::memory_order_relaxed)) {
    use(choice_.threads);
    throw Error(Code::kCancelled, "the observation was cancelled");
  }
  std::sort(rates.begin(), rates.end(),
            [](const ThreadRate& a, const ThreadRate& b) { return a.threads < b.threads; });
  choice_.threads = choose_threads(rates, in_use);
  use(choice_.threads);
  double rate = 0;
  for (const ThreadRate& one : rates) {
    if (one.threads == choice_.threads) rate = one.tokens_per_second;
  }
  if (rate > 0) choice_.by = ThreadsBy::kTrial;
  choice_.trial = std::move(rates);
  choice_.trial_seconds = seconds_since(start);
  since_trial_ = 0;
  pace_.restart(tokens_.size(), rate);
}

void Threads::take_over(llama_context* context, size_t tokens) {
  context_ = context;
  if (choice_.by != ThreadsBy::kUntried) return use(choice_.threads);
  tokens_ = spread_tokens(tokens, model_.info().vocab_size);
  // Models whose tokens see each other both ways give hidden states alone.
  if (!model_.info().causal) llama_set_embeddings(context_, true);
  try_all(0);
  if (!model_.info().causal) llama_set_embeddings(context_, false);
}

void Threads::note(const llama_batch& batch, double seconds) {
  if (choice_.by != ThreadsBy::kTrial || batch.n_tokens <= 0) return;
  const auto tokens = static_cast<size_t>(batch.n_tokens);
  const auto end = static_cast<size_t>(*std::max_element(batch.pos, batch.pos + batch.n_tokens)) + 1;
  pace_.add(tokens, end > tokens ? end - tokens : 0, seconds);
  since_trial_ += seconds;
}

void Threads::reconsider() {
  if (choice_.by != ThreadsBy::kTrial) return;
  const Verdict verdict = pace_.judge();
  if (verdict == Verdict::kTooShort) return;
  const double least = verdict == Verdict::kSlow ? kWhenSlow : kWhenSteady;
  if (since_trial_ < least * choice_.trial_seconds) return;
  try_again();
}

void Threads::try_again() {
  const uint32_t before = choice_.threads;
  try_all(before);
  ++choice_.retrials;
  if (choice_.threads != before) ++choice_.changes;
}

}  // namespace logit_audit
