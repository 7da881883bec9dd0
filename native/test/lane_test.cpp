// The code that each thread of a device's kernel runs, on this machine: lanes that share a row or a pair as
// threads do, brought together as a block does, against the cpu kernels. What is left to a device is
// launching it.
#include <cmath>
#include <random>

#include "metrics/finish.h"
#include "metrics/lane/pairs.h"
#include "metrics/lane/rows.h"
#include "metrics/pair_scale.h"
#include "test/check.h"
#include "test/implementations.h"

namespace logit_audit::test {

namespace {

constexpr size_t kLanes = 64;
constexpr size_t kFew = 8;

double tolerance(double expected) { return 1e-6 * std::max(1e-9, std::fabs(expected)); }

lane::RowLane sweep_row(const std::vector<float>& row) {
  std::vector<lane::RowLane> lanes(kLanes, lane::empty_row());
  for (size_t at = 0; at < row.size(); at += kFew) {
    lane::RowLane& own = lanes[at / kFew % kLanes];
    float largest = -INFINITY;
    for (size_t i = at; i < std::min(at + kFew, row.size()); ++i) largest = std::max(largest, row[i]);
    if (largest == -INFINITY) continue;
    if (largest > own.max) own = lane::raise_max(own, largest);
    lane::RowFew few = lane::no_few(own.max);
    for (size_t i = at; i < std::min(at + kFew, row.size()); ++i) few = lane::add_logit(few, row[i]);
    own = lane::add_few(own, few);
  }
  for (size_t distance = kLanes / 2; distance > 0; distance /= 2) {
    for (size_t i = 0; i < distance; ++i) lanes[i] = lane::merge(lanes[i], lanes[i + distance]);
  }
  return lanes[0];
}

metrics::RowSums sums_of(const std::vector<float>& row) {
  const lane::RowLane all = sweep_row(row);
  metrics::RowSums sums;
  sums.check = {all.bad > 0 ? NAN : 0.0F};
  sums.max = {all.ties > 0 ? all.max : -INFINITY};
  sums.below = {static_cast<float>(row.size()) - all.ties};
  sums.rest = {lane::total(all.rest)};
  sums.weighted = {lane::total(all.weighted)};
  return sums;
}

std::vector<float> random_row(size_t vocab, double middle, double width, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  std::vector<float> row(vocab);
  for (float& z : row) z = static_cast<float>(middle + width * normal(random));
  return row;
}

void check_row(const std::vector<float>& row) {
  double logsumexp = 0;
  double entropy = 0;
  reduce_row(*metrics::make_cpu_reducer(), {row.data(), nullptr, 0}, row.size(), metrics::Request(),
             {&logsumexp, &entropy, nullptr, nullptr, nullptr});
  const metrics::RowSums sums = sums_of(row);
  CHECK(metrics::is_sound(sums, 0));
  const metrics::RowState state = metrics::state_of(sums, 0, row.size());
  double lane_logsumexp = 0;
  double lane_entropy = 0;
  metrics::finish_row(sums, 0, state, metrics::Request(), 1, 0,
                      {&lane_logsumexp, &lane_entropy, nullptr, nullptr, nullptr});
  CHECK_NEAR(lane_logsumexp, logsumexp, tolerance(logsumexp));
  CHECK_NEAR(lane_entropy, entropy, tolerance(entropy));
}

metrics::PairSums sweep_pair(const std::vector<float>& a, const std::vector<float>& b,
                             const metrics::PairBatch& batch) {
  const lane::PairScale scale = metrics::scale_of(batch.a[0], batch.b[0]);
  std::vector<lane::PairLane> lanes(kLanes, lane::empty_pair());
  for (size_t at = 0; at < a.size(); at += kFew) {
    lane::PairFew few = lane::no_pairs();
    for (size_t i = at; i < std::min(at + kFew, a.size()); ++i) few = lane::add_pair(few, scale, a[i], b[i]);
    lane::PairLane& own = lanes[at / kFew % kLanes];
    own = lane::add_few(own, few);
  }
  for (size_t distance = kLanes / 2; distance > 0; distance /= 2) {
    for (size_t i = 0; i < distance; ++i) lanes[i] = lane::merge(lanes[i], lanes[i + distance]);
  }
  const lane::PairLane& all = lanes[0];
  metrics::PairSums sums;
  sums.jsd = {lane::total(all.jsd)};
  sums.kl_pq = {lane::total(all.kl_pq)};
  sums.kl_qp = {lane::total(all.kl_qp)};
  sums.down = {lane::total(all.down)};
  sums.up = {lane::total(all.up)};
  sums.p = {lane::total(all.p)};
  sums.q = {lane::total(all.q)};
  sums.far = {all.far};
  return sums;
}

struct Divergences {
  double jsd = 0, kl_pq = 0, kl_qp = 0, variation = 0;
  metrics::PairRecord record() {
    return {&jsd, &kl_pq, &kl_qp, &variation, nullptr, nullptr, nullptr, nullptr};
  }
};

void check_pair(const std::vector<float>& a, const std::vector<float>& b) {
  Divergences expected;
  reduce_pair(*metrics::make_cpu_reducer(), {a.data(), nullptr, 0}, {b.data(), nullptr, 0}, a.size(),
              metrics::Request(), expected.record());
  metrics::PairBatch batch;
  batch.vocab = a.size();
  batch.a = {metrics::side_of(metrics::state_of(sums_of(a), 0, a.size()))};
  batch.b = {metrics::side_of(metrics::state_of(sums_of(b), 0, b.size()))};
  metrics::PairSums sums = sweep_pair(a, b, batch);
  const metrics::PairCheck check = metrics::check_pair(batch, sums, 0, 0);
  if (check.again) {
    metrics::correct(batch.a[0], batch.b[0], check.excess);
    sums = sweep_pair(a, b, batch);
  }
  CHECK_EQ(sums.far[0], 0.0F);
  Divergences found;
  metrics::finish_pair(batch, sums, 0, {}, {}, found.record());
  CHECK_NEAR(found.jsd, expected.jsd, tolerance(expected.jsd));
  CHECK_NEAR(found.kl_pq, expected.kl_pq, tolerance(expected.kl_pq));
  CHECK_NEAR(found.kl_qp, expected.kl_qp, tolerance(expected.kl_qp));
  CHECK_NEAR(found.variation, expected.variation, tolerance(expected.variation));
}

}  // namespace

TEST("lane: a kernel's power keeps its digits") {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> logits(-60, 30);
  for (int i = 0; i < 20000; ++i) {
    const float z = logits(random);
    const float max = 30 + logits(random) / 90;
    const double exact = std::exp(static_cast<double>(z) - static_cast<double>(max));
    const auto found = static_cast<double>(lane::power(lane::distance(z, max)));
    if (exact > 1e-37) CHECK_NEAR(found, exact, 3e-7 * exact);
  }
}

TEST("lane: rows as a block of threads sums them") {
  uint32_t seed = 1;
  for (const size_t vocab : {1, 7, 1000, 32003, 151936}) {
    for (const double width : {0.0, 0.5, 4.0, 12.0}) check_row(random_row(vocab, 5, width, seed++));
  }
  std::vector<float> row = random_row(3000, 0, 2, 77);
  row[2999] = 40;
  check_row(row);
  for (size_t i = 0; i < 1500; ++i) row[i] = -INFINITY;
  check_row(row);
  std::sort(row.begin(), row.end());
  check_row(row);
  row[17] = row[2999] = 41;
  check_row(row);
}

TEST("lane: what is no row of logits is seen") {
  for (const float bad : {NAN, INFINITY}) {
    std::vector<float> row = random_row(100, 0, 1, 5);
    row[63] = bad;
    CHECK(!metrics::is_sound(sums_of(row), 0));
  }
  CHECK(!metrics::is_sound(sums_of(std::vector<float>(50, -INFINITY)), 0));
}

TEST("lane: pairs as a block of threads sums them") {
  uint32_t seed = 500;
  for (const size_t vocab : {2, 1000, 32003}) {
    for (const double apart : {0.0, 1e-6, 1e-3, 0.3, 5.0}) {
      const std::vector<float> a = random_row(vocab, 10, 3, seed++);
      std::vector<float> b = random_row(vocab, 0, apart, seed++);
      for (size_t i = 0; i < vocab; ++i) b[i] += a[i];
      check_pair(a, b);
      for (float& z : b) z += 9;
      check_pair(a, b);
    }
  }
}

}  // namespace logit_audit::test
