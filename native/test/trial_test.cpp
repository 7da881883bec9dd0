// What a device is tried with before it is trusted: one wrong number of any kind shows, by its name.
#include "engine/trial.h"

#include <random>
#include <utility>
#include <vector>

#include "test/check.h"

namespace logit_audit::test {

namespace {

constexpr size_t kVocab = 64;

using Logits = std::vector<float>;

Logits random_logits(unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal(0, 3);
  Logits logits(kVocab);
  for (float& logit : logits) logit = normal(random);
  return logits;
}

std::string difference(const Logits& a, const Logits& b, const Logits& copy_a, const Logits& copy_b) {
  const auto reducer = metrics::make_cpu_reducer();
  const TrialRows rows = {metrics::Row{a.data(), nullptr, 0}, metrics::Row{b.data(), nullptr, 0}};
  const TrialRows copies = {metrics::Row{copy_a.data(), nullptr, 0}, metrics::Row{copy_b.data(), nullptr, 0}};
  return first_difference(*reducer, rows, *reducer, copies, kVocab);
}

// The same numbers in other places.
Logits swapped(Logits logits, size_t i, size_t j) {
  std::swap(logits[i], logits[j]);
  return logits;
}

}  // namespace

TEST("trial: rows that are reduced alike have no difference") {
  const Logits a = random_logits(1);
  const Logits b = random_logits(2);
  CHECK_EQ(difference(a, b, a, b), "");
  CHECK_EQ(difference(a, a, a, a), "");
}

TEST("trial: rows in another order show") {
  const Logits a = random_logits(1);
  const Logits b = random_logits(2);
  CHECK_EQ(difference(a, b, b, a), "logsumexp");
}

TEST("trial: a mass, a target, and a place among the likeliest show, where all sums are right") {
  Logits a = random_logits(1);
  a[20] = 12;
  a[21] = 11;
  a[3] = 9;
  const Logits b = random_logits(2);
  CHECK_EQ(difference(swapped(a, 3, 30), b, a, b), "mass");
  CHECK_EQ(difference(swapped(a, kVocab / 2, 33), b, a, b), "log_prob");
  CHECK_EQ(difference(swapped(a, 20, 21), b, a, b), "top_k_id");
}

TEST("trial: a pair shows where each of its rows is right") {
  const Logits a = random_logits(1);
  Logits b = random_logits(2);
  // Neither in a group, nor the target, nor among the likeliest.
  b[40] = -1;
  b[41] = -2;
  CHECK_EQ(difference(a, swapped(b, 40, 41), a, b), "jsd");
}

}  // namespace logit_audit::test
