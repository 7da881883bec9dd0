// The CPU threads that a context is decoded on: how many, why, and how they wait. docs/design/engine.md
// argues it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "engine/model.h"
#include "engine/pace.h"
#include "engine/thread_trial.h"
#include "ggml-cpu.h"
#include "llama.h"

namespace logit_audit {

// Who says how many.
enum class ThreadsBy {
  kOption,
  kEnvironment,
  // Only one core may be used.
  kOneCore,
  // All layers are on an accelerator.
  kAccelerator,
  // llama.cpp then cuts a text's keys into as many parts as there are threads, and adds up by parts: numbers
  // depend on the number, and no trial may choose it.
  kFlashAttention,
  kTrial,
  // The model could not be decoded for a trial.
  kUntried,
};

// "option", "environment", "one_core", "accelerator", "flash_attention", "trial", "untried".
const char* threads_by_name(ThreadsBy by);

struct ThreadChoice {
  uint32_t threads = 1;
  // Cores that this process may use.
  uint32_t cores = 1;
  ThreadsBy by = ThreadsBy::kOption;
  // What the last trial measured, by rising number of threads; empty without one.
  std::vector<ThreadRate> trial;
  double trial_seconds = 0;
  // Trials after the first, and how many of them led to another number.
  uint32_t retrials = 0;
  uint32_t changes = 0;
};

// What stops a decode between two nodes of its graph.
struct StopSign {
  const std::atomic<bool>* cancel = nullptr;
  // For trials: the longest time that one may take.
  std::optional<std::chrono::steady_clock::time_point> deadline;

  // llama.cpp's abort_callback; `sign` is a StopSign.
  static bool is_up(void* sign);
};

class Threads {
 public:
  // `asked`: 0 where no number was requested; then LOGIT_AUDIT_THREADS is taken, or a trial decides. Throws
  // bad_argument where the variable is no number from 1 to 1024.
  Threads(const Model& model, uint32_t asked, bool flash_attention, StopSign& stop);

  // Until there was a trial: what is asked, or a middle that is never far off.
  uint32_t count() const { return choice_.threads; }
  const ThreadChoice& choice() const { return choice_; }

  // From now on the context decodes on these threads. Without a requested number, a trial finds one:
  // some decodes of `tokens` tokens, which leave the context's memory empty.
  void take_over(llama_context* context, size_t tokens);
  // Of a call that was decoded, for reconsider().
  void note(const llama_batch& batch, double seconds);
  // Where a trial chose the number and the last stretch of work was slow, or much was decoded since: another
  // trial, as long as trials stay below a fiftieth of the time of decoding. Empties the context's memory; the
  // caller is about to do so. Throws cancelled.
  void reconsider();
  // Another trial, whatever the pace.
  void try_again();

 private:
  struct FreePool {
    void operator()(ggml_threadpool* pool) const { ggml_threadpool_free(pool); }
  };
  void use(uint32_t threads);
  void try_all(uint32_t in_use);
  std::optional<double> decode_once(uint32_t threads, double limit);

  const Model& model_;
  StopSign& stop_;
  ThreadChoice choice_;
  Pace pace_;
  double since_trial_ = 0;
  llama_context* context_ = nullptr;
  std::vector<llama_token> tokens_;
  // By their threads. All are kept: llama.cpp pauses the one that it had when it takes another, and a paused
  // pool sleeps.
  std::map<uint32_t, std::unique_ptr<ggml_threadpool, FreePool>> pools_;
};

}  // namespace logit_audit
