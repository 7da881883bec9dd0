#include "engine/threads.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "engine/cores.h"
#include "engine/pace.h"
#include "engine/thread_trial.h"
#include "test/check.h"
#include "test/engine_fixture.h"
#include "test/temporary.h"

namespace logit_audit::test {

namespace {

namespace fs = std::filesystem;

// The environment without a variable, as long as it lives.
class Unset {
 public:
  explicit Unset(const char* name) : name_(name) {
    if (const char* value = std::getenv(name)) value_ = value;
    unsetenv(name);
  }
  ~Unset() {
    if (value_) setenv(name_.c_str(), value_->c_str(), 1);
  }
  Unset(const Unset&) = delete;
  Unset& operator=(const Unset&) = delete;

 private:
  std::string name_;
  std::optional<std::string> value_;
};

// Control groups as files.
class Groups {
 public:
  void limit(const std::string& group, const std::string& file, const std::string& text) {
    const fs::path folder = root() / group;
    fs::create_directories(folder);
    std::ofstream(folder / file) << text;
  }
  uint32_t cores(const std::string& membership) const { return quota_cores(root(), membership); }

 private:
  fs::path root() const { return folder_.file("cgroup"); }
  TemporaryFolder folder_;
};

// A machine on which a decode takes `seconds(threads)`.
struct Machine {
  std::function<double(uint32_t)> seconds;
  double spent = 0;
  int decodes = 0;

  std::vector<ThreadRate> time(uint32_t cores) {
    return time_candidates(thread_candidates(cores), 32,
                           [this](uint32_t threads, double limit) -> std::optional<double> {
                             const double took = seconds(threads);
                             ++decodes;
                             spent += std::min(took, limit);
                             if (took > limit) return std::nullopt;
                             return took;
                           });
  }
};

uint32_t chosen(uint32_t cores, std::function<double(uint32_t)> seconds) {
  Machine machine{std::move(seconds)};
  return choose_threads(machine.time(cores), 0);
}

std::string texts_of(const std::vector<uint32_t>& numbers) {
  std::string out;
  for (const uint32_t number : numbers) out += std::to_string(number) + " ";
  return out;
}

// Seconds of work at `rate` tokens a second, in calls of `tokens` behind `before`.
Verdict work(Pace& pace, double seconds, double rate, size_t tokens = 40, size_t before = 0) {
  const double one = static_cast<double>(tokens) / rate;
  for (double at = 0; at < seconds; at += one) pace.add(tokens, before, one);
  return pace.judge();
}

}  // namespace

TEST("threads: a quota of CPU time is worth whole cores") {
  Groups none;
  CHECK_EQ(none.cores("0::/\n"), 0U);
  CHECK_EQ(none.cores(""), 0U);
  CHECK_EQ(none.cores("no control groups"), 0U);
  Groups two;
  two.limit("", "cpu.max", "250000 100000\n");
  CHECK_EQ(two.cores("0::/\n"), 2U);
  // A container's own view, and a path that only its host knows.
  CHECK_EQ(two.cores("0::/docker/1234\n"), 2U);
  CHECK_EQ(two.cores("0::/../outside\n"), 2U);
  Groups nested;
  nested.limit("", "cpu.max", "max 100000\n");
  nested.limit("slice", "cpu.max", "400000 100000\n");
  nested.limit("slice/job", "cpu.max", "max 100000\n");
  CHECK_EQ(nested.cores("0::/slice/job\n"), 4U);
  nested.limit("slice/job", "cpu.max", "50000 100000\n");
  CHECK_EQ(nested.cores("0::/slice/job\n"), 1U);
  CHECK_EQ(nested.cores("0::/\n"), 0U);
  Groups first;
  first.limit("cpu/job", "cpu.cfs_quota_us", "300000\n");
  first.limit("cpu/job", "cpu.cfs_period_us", "100000\n");
  CHECK_EQ(first.cores("12:memory:/job\n4:cpu,cpuacct:/job\n"), 3U);
  CHECK_EQ(first.cores("12:cpuset:/job\n"), 0U);
  first.limit("cpu/job", "cpu.cfs_quota_us", "-1\n");
  CHECK_EQ(first.cores("4:cpu,cpuacct:/job\n"), 0U);
  Groups torn;
  torn.limit("", "cpu.max", "100000");
  CHECK_EQ(torn.cores("0::/\n"), 0U);
  CHECK(usable_cores() >= 1);
}

TEST("threads: half, one and all are tried, each once") {
  CHECK_EQ(texts_of(thread_candidates(1)), "1 ");
  CHECK_EQ(texts_of(thread_candidates(2)), "1 2 ");
  CHECK_EQ(texts_of(thread_candidates(3)), "1 3 ");
  CHECK_EQ(texts_of(thread_candidates(8)), "4 1 8 ");
}

TEST("threads: the fastest is chosen, and of equals the fewest") {
  // An idle machine.
  CHECK_EQ(chosen(2, [](uint32_t n) { return 0.010 / n; }), 2U);
  CHECK_EQ(chosen(16, [](uint32_t n) { return 0.4 / n; }), 16U);
  // Two threads of each core: all bring 5 % more than half.
  CHECK_EQ(chosen(16, [](uint32_t n) { return 0.4 / (n > 8 ? 8.4 : n); }), 8U);
  // Others hold the cores.
  CHECK_EQ(chosen(2, [](uint32_t n) { return n == 1 ? 0.005 : 0.150; }), 1U);
  CHECK_EQ(chosen(64, [](uint32_t n) { return n == 1 ? 0.005 : 0.030 * n; }), 1U);
  // Threads that bring nothing.
  CHECK_EQ(chosen(8, [](uint32_t) { return 0.002; }), 1U);
  // What never comes to an end: half of the cores.
  CHECK_EQ(chosen(8, [](uint32_t) { return 1e9; }), 4U);
}

TEST("threads: a trial is bounded") {
  // A small model: a warm-up, and 25 ms of each.
  Machine small{[](uint32_t n) { return 0.001 / n; }};
  small.time(8);
  CHECK(small.spent < 0.080);
  // A large one: a warm-up, two decodes of half, at most twice as long for the others.
  Machine large{[](uint32_t n) { return 4.0 / n; }};
  const auto rates = large.time(8);
  CHECK_EQ(large.decodes, 4);
  CHECK_EQ(choose_threads(rates, 0), 8U);
  CHECK(large.spent < 5);
  // A machine so busy that half of its cores never meet.
  Machine busy{[](uint32_t n) { return n == 1 ? 0.004 : 1e9; }};
  CHECK_EQ(choose_threads(busy.time(64), 0), 1U);
  CHECK(busy.spent < 21);
  CHECK_EQ(busy.time(2).back().tokens_per_second, 0.0);
}

TEST("threads: luck changes nothing") {
  const std::vector<ThreadRate> close = {{1, 500}, {2, 560}};
  CHECK_EQ(choose_threads(close, 0), 2U);
  CHECK_EQ(choose_threads(close, 1), 1U);
  CHECK_EQ(choose_threads(close, 2), 2U);
  const std::vector<ThreadRate> apart = {{1, 500}, {2, 900}};
  CHECK_EQ(choose_threads(apart, 1), 2U);
  const std::vector<ThreadRate> busy = {{1, 500}, {2, 0}};
  CHECK_EQ(choose_threads(busy, 2), 1U);
  const std::vector<ThreadRate> nothing = {{1, 0}, {2, 0}};
  CHECK_EQ(choose_threads(nothing, 2), 2U);
  CHECK_EQ(choose_threads({}, 0), 1U);
}

TEST("threads: slow is twice the best of the same kind of work") {
  Pace pace;
  pace.restart(32, 1000);
  CHECK(work(pace, 0.1, 1000) == Verdict::kTooShort);
  CHECK(work(pace, 0.3, 1000) == Verdict::kSteady);
  CHECK(work(pace, 0.3, 700) == Verdict::kSteady);
  CHECK(work(pace, 0.3, 400) == Verdict::kSlow);
  // The trial alone is a mark for prompts of its size.
  pace.restart(32, 1000);
  CHECK(work(pace, 0.3, 300) == Verdict::kSlow);
  // What was slow is no new mark.
  CHECK(work(pace, 0.3, 300) == Verdict::kSlow);
  CHECK(work(pace, 0.3, 1000) == Verdict::kSteady);
}

TEST("threads: work of another kind is not slow") {
  Pace pace;
  pace.restart(32, 1000);
  // Steps of generation, long texts, tiny calls: each has a mark of its own.
  CHECK(work(pace, 0.3, 20, 1, 100) == Verdict::kSteady);
  CHECK(work(pace, 0.3, 100, 64, 4000) == Verdict::kSteady);
  CHECK(work(pace, 0.3, 200, 4, 0) == Verdict::kSteady);
  CHECK(work(pace, 0.3, 9, 1, 100) == Verdict::kSlow);
  CHECK(work(pace, 0.3, 19, 1, 100) == Verdict::kSteady);
  // A few slow calls beside much that is as ever.
  pace.add(64, 4000, 0.02);
  CHECK(work(pace, 0.5, 900) == Verdict::kSteady);
}

TEST("threads: a context's numbers are the same bits with a trial, without one, and with any number") {
  const std::vector<Request> requests = probes({"The nurse said that", "The nurse ran"});
  for (const Mode mode : {Mode::kExact, Mode::kFast}) {
    ContextOptions options;
    options.mode = mode;
    options.threads = 1;
    const Observations one = Engine(options).observe(requests);
    for (const uint32_t threads : {2U, 3U}) {
      options.threads = threads;
      Engine engine(options);
      CHECK_EQ(engine.context.threads().count(), threads);
      CHECK(engine.observe(requests).rows.logsumexp == one.rows.logsumexp);
    }
    // Trials before and between windows, whatever they choose.
    const Unset unset("LOGIT_AUDIT_THREADS");
    options.threads = 0;
    Engine engine(options);
    CHECK(engine.observe(requests).rows.logsumexp == one.rows.logsumexp);
    if (usable_cores() == 1) continue;
    for (uint32_t again = 1; again <= 3; ++again) {
      engine.context.threads().try_again();
      const Observations observed = engine.observe(requests);
      CHECK_EQ(observed.threads.retrials, again);
      CHECK_EQ(std::string(threads_by_name(observed.threads.by)), "trial");
      CHECK_EQ(observed.threads.trial.size(), thread_candidates(usable_cores()).size());
      CHECK(observed.rows.logsumexp == one.rows.logsumexp);
      CHECK(observed.rows.masses == one.rows.masses);
    }
  }
}

TEST("threads: a trial is cancelled with its window") {
  const Unset unset("LOGIT_AUDIT_THREADS");
  if (usable_cores() == 1) return skip("one core: there is no trial");
  Engine engine;
  const uint32_t before = engine.context.threads().count();
  const std::atomic<bool> cancelled{true};
  {
    const CancelScope scope(engine.context, cancelled);
    CHECK_FAULT(engine.context.threads().try_again(), Code::kCancelled);
  }
  CHECK_EQ(engine.context.threads().count(), before);
  CHECK_EQ(engine.observe(probes({"The nurse said that"})).rows.request.size(), size_t{1});
}

TEST("threads: who asks, and what is said of it") {
  ContextOptions options;
  options.threads = 3;
  Engine asked(options);
  CHECK_EQ(std::string(threads_by_name(asked.context.first_threads().by)), "option");
  CHECK_EQ(asked.context.first_threads().threads, 3U);
  CHECK(asked.context.first_threads().trial.empty());
  const Observations observed = asked.observe(probes({"The nurse said that"}));
  CHECK_EQ(observed.threads.threads, 3U);
  CHECK_EQ(observed.threads.retrials, 0U);
  const Unset unset("LOGIT_AUDIT_THREADS");
  options.threads = 0;
  options.flash_attention = true;
  Engine flash(options);
  const ThreadChoice& fixed = flash.context.first_threads();
  CHECK_EQ(fixed.threads, thread_candidates(usable_cores()).front());
  CHECK(fixed.trial.empty());
  if (usable_cores() > 1) CHECK_EQ(std::string(threads_by_name(fixed.by)), "flash_attention");
}

}  // namespace logit_audit::test
