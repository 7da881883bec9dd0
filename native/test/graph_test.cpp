// Metrics on a device against those in host memory, over vocabularies and batches of every size; on this
// machine the device is the CPU's backend, at least.
#include "metrics/graph/graph.h"

#include <cmath>
#include <cstdlib>
#include <random>

#include "error.h"
#include "metrics/device.h"
#include "metrics/finish.h"
#include "metrics/graph/pairs.h"
#include "metrics/graph/rows.h"
#include "test/check.h"
#include "test/implementations.h"

namespace logit_audit::test {

namespace {

// Float32 sums against the cpu kernels': the bound that every implementation keeps.
constexpr double kRelative = 1e-6;
// What is smaller is as good as 0.
constexpr double kSmall = 1e-9;

double tolerance(double expected) { return kRelative * std::max(kSmall, std::fabs(expected)); }

// Everything that is asked of rows and pairs at once.
struct Results {
  std::vector<double> logsumexp, entropy, masses, top_probs, log_prob;
  std::vector<int32_t> top_ids;
  std::vector<uint32_t> rank;
  std::vector<double> jsd, kl_pq, kl_qp, variation, partial, lower, upper;
  std::vector<uint32_t> united;
};

struct Case {
  std::vector<std::vector<float>> rows;
  std::vector<int32_t> targets;
  metrics::Request request;
};

Results measure(const Implementation& implementation, const Case& of,
                size_t memory = metrics::kMetricsMemory) {
  const size_t rows = of.rows.size();
  const size_t vocab = of.rows.front().size();
  const size_t k = std::min(of.request.top_k, vocab);
  const size_t groups = of.request.groups();
  const size_t ks = of.request.pair_top_k.size();
  const PlacedRows placed(implementation, of.rows);
  const auto reducer = implementation.reducer(vocab, memory);
  reducer->check(of.request, vocab);
  Results r;
  for (auto* column : {&r.logsumexp, &r.entropy, &r.log_prob, &r.jsd, &r.kl_pq, &r.kl_qp, &r.variation})
    column->resize(rows);
  r.masses.resize(rows * groups);
  r.top_probs.resize(rows * k);
  r.top_ids.resize(rows * k);
  r.rank.resize(rows);
  for (auto* column : {&r.partial, &r.lower, &r.upper}) column->resize(rows * ks);
  r.united.resize(rows * ks);
  std::vector<metrics::RowTask> tasks;
  std::vector<metrics::PairTask> pairs;
  for (size_t i = 0; i < rows; ++i) {
    metrics::RowTask task;
    task.row = placed.row(i);
    task.record = true;
    task.out = {&r.logsumexp[i], &r.entropy[i], r.masses.data() + i * groups, r.top_ids.data() + i * k,
                r.top_probs.data() + i * k};
    task.target = of.targets[i];
    task.target_out = {&r.log_prob[i], &r.rank[i]};
    tasks.push_back(task);
    metrics::PairTask pair;
    pair.a = placed.row(i);
    pair.b = placed.row((i + 1) % rows);
    pair.out = {&r.jsd[i],
                &r.kl_pq[i],
                &r.kl_qp[i],
                &r.variation[i],
                r.united.data() + i * ks,
                r.partial.data() + i * ks,
                r.lower.data() + i * ks,
                r.upper.data() + i * ks};
    pairs.push_back(pair);
  }
  reducer->reduce_rows(tasks, vocab, of.request);
  reducer->reduce_pairs(pairs, vocab, of.request);
  for (const auto& task : tasks) CHECK(!task.fault.has_value());
  for (const auto& pair : pairs) CHECK(!pair.fault.has_value());
  return r;
}

void check_column(const char* what, const std::vector<double>& a, const std::vector<double>& b) {
  CHECK_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) check_near(a[i], b[i], tolerance(b[i]), what, __FILE__, __LINE__);
}

void check_same(const Results& a, const Results& b) {
  check_column("logsumexp", a.logsumexp, b.logsumexp);
  check_column("entropy", a.entropy, b.entropy);
  check_column("masses", a.masses, b.masses);
  check_column("top probabilities", a.top_probs, b.top_probs);
  check_column("log-probability", a.log_prob, b.log_prob);
  check_column("jsd", a.jsd, b.jsd);
  check_column("kl_pq", a.kl_pq, b.kl_pq);
  check_column("kl_qp", a.kl_qp, b.kl_qp);
  check_column("total variation", a.variation, b.variation);
  check_column("partial", a.partial, b.partial);
  check_column("lower", a.lower, b.lower);
  check_column("upper", a.upper, b.upper);
  CHECK(a.top_ids == b.top_ids);
  CHECK(a.rank == b.rank);
  CHECK(a.united == b.united);
}

void check_all(const Case& of, size_t memory = metrics::kMetricsMemory) {
  const std::vector<Implementation> all = implementations();
  CHECK(all.size() >= 2);
  const Results reference = measure(all.front(), of);
  for (size_t i = 1; i < all.size(); ++i) check_same(measure(all[i], of, memory), reference);
}

metrics::Request everything(size_t vocab) {
  metrics::Request request;
  const auto last = static_cast<int32_t>(vocab) - 1;
  for (int32_t id = 0; id <= last && id < 40; id += 3) request.group_ids.push_back(id);
  request.group_offsets.push_back(request.group_ids.size());
  request.group_offsets.push_back(request.group_ids.size());
  request.group_ids.push_back(last);
  request.group_offsets.push_back(request.group_ids.size());
  request.top_k = 20;
  request.pair_top_k = {5, 20};
  return request;
}

// Logits as models have them: normal, of some width, around some place; neighbours alike or not.
Case random_case(size_t vocab, size_t rows, double width, double middle, double apart, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Case made;
  std::vector<double> base(vocab);
  for (double& value : base) value = middle + width * normal(random);
  for (size_t i = 0; i < rows; ++i) {
    std::vector<float> row(vocab);
    for (size_t j = 0; j < vocab; ++j) row[j] = static_cast<float>(base[j] + apart * normal(random));
    made.rows.push_back(row);
    made.targets.push_back(static_cast<int32_t>(random() % vocab));
  }
  made.request = everything(vocab);
  return made;
}

}  // namespace

TEST("graph: every size of vocabulary and batch, against cpu") {
  uint32_t seed = 1;
  for (const auto& [vocab, rows] : std::vector<std::pair<size_t, size_t>>{{2, 2},
                                                                          {5, 1},
                                                                          {127, 3},
                                                                          {128, 2},
                                                                          {129, 2},
                                                                          {344, 512},
                                                                          {4097, 17},
                                                                          {32000, 9},
                                                                          {151936, 3},
                                                                          {262144, 2}}) {
    check_all(random_case(vocab, rows, 3, 0, 1, seed++));
  }
}

TEST("graph: rows of every shape, against cpu") {
  uint32_t seed = 100;
  for (const double middle : {-30.0, 0.0, 17.3}) {
    for (const double width : {0.01, 1.0, 8.0}) {
      // From rows that are all but the same to rows that share nothing.
      for (const double apart : {1e-6, 1e-4, 1e-2, 1.0, 6.0}) {
        check_all(random_case(3000, 3, width, middle, apart, seed++));
      }
    }
  }
}

TEST("graph: 512 rows of the longest vocabularies, against cpu (LOGIT_AUDIT_TEST_LARGE=1)") {
  if (std::getenv("LOGIT_AUDIT_TEST_LARGE") == nullptr) return skip("LOGIT_AUDIT_TEST_LARGE is not set");
  for (const size_t vocab : {32000, 151936, 262144}) {
    for (const size_t rows : {1, 16, 512}) check_all(random_case(vocab, rows, 3, 0, 0.5, 7));
  }
}

TEST("graph: rows that are near certain, equal, shifted, masked") {
  Case made = random_case(1000, 8, 2, 5, 0.3, 3);
  made.rows[0][700] = 60;                                                    // certain but for 1e-20
  made.rows[1][700] = made.rows[1][3] + 20;                                  // certain but for 1e-6
  made.rows[3] = made.rows[2];                                               // the same
  for (size_t i = 0; i < 1000; ++i) made.rows[4][i] = made.rows[3][i] + 16;  // shifted
  for (size_t i = 0; i < 1000; i += 2) {  // half is masked, in both of a pair and in one
    made.rows[5][i] = -INFINITY;
    made.rows[6][i] = -INFINITY;
  }
  made.targets[5] = 10;
  check_all(made);
}

TEST("graph: of equal logits the lower ids come first, whatever the device prefers") {
  Case made = random_case(5000, 4, 0, 0, 0, 11);
  // All equal; equal at the edge of the list; runs of equals across blocks; masked behind few others.
  for (size_t i = 0; i < 5000; ++i) {
    made.rows[1][i] = i % 700 == 13 ? 3.0F : (i % 250 == 77 ? 2.0F : 0.0F);
    made.rows[2][i] = static_cast<float>(i / 128 % 5);
    made.rows[3][i] = i % 1000 == 500 ? 1.0F : -INFINITY;
  }
  check_all(made);
}

TEST("graph: equal rows have no divergence, swapped rows the same one") {
  const Case made = random_case(2000, 2, 3, 10, 0.5, 17);
  for (const Implementation& implementation : implementations()) {
    Case equal = made;
    equal.rows[1] = equal.rows[0];
    const Results none = measure(implementation, equal);
    for (const auto& column : {none.jsd, none.kl_pq, none.kl_qp, none.variation, none.partial, none.lower})
      for (const double value : column) CHECK_EQ(value, 0.0);
    const Results some = measure(implementation, made);
    CHECK_NEAR(some.jsd[0], some.jsd[1], tolerance(some.jsd[0]));
    CHECK_NEAR(some.kl_pq[0], some.kl_qp[1], tolerance(some.kl_pq[0]));
    for (size_t i = 0; i < some.partial.size(); ++i) {
      CHECK(some.partial[i] <= some.lower[i] && some.lower[i] <= some.jsd[i / 2]);
      CHECK(some.jsd[i / 2] <= some.upper[i] && some.upper[i] <= std::log(2.0));
    }
  }
}

TEST("graph: any memory gives the same numbers, in batches that fit; none that fits is an error") {
  const Case made = random_case(4096, 9, 3, 0, 1, 23);
  const size_t matrix = 4096 * sizeof(float);
  check_all(made, 40 * matrix);
  check_all(made, 16 * matrix);
  // Rows of such a length begin anywhere in a device's memory, where a batch begins among them.
  check_all(random_case(4097, 9, 3, 0, 1, 24), 50 * matrix);
  check_all(random_case(50257, 5, 3, 0, 1, 25), 17 * 50304 * sizeof(float));
  for (const Implementation& implementation : implementations()) {
    if (implementation.device == nullptr) continue;
    try {
      implementation.reducer(4096, matrix);
      CHECK(false);
    } catch (const Error& error) {
      CHECK(error.code() == Code::kEngineFailed);
      CHECK(std::string(error.what()).find("lower --ctx or --batch") != std::string::npos);
    }
    const metrics::DeviceReducer enough(implementation.kernels(4096), 4096, 512, 80 * matrix);
    CHECK_EQ(enough.budget().pairs, size_t{5});
    CHECK(enough.budget().bytes <= 80 * matrix);
  }
}

TEST("graph: the memory of a graph is what the budget counts with") {
  constexpr size_t kVocab = 32768;
  const Case made = random_case(kVocab, 4, 3, 0, 1, 31);
  for (const Implementation& implementation : implementations()) {
    if (implementation.name != "graph") continue;
    const PlacedRows placed(implementation, made.rows);
    const metrics::Footprint footprint = implementation.kernels(kVocab)->footprint();
    metrics::RowBatch rows;
    rows.tensor = placed.row(0).tensor;
    rows.count = 4;
    rows.groups = &made.request;
    rows.top = 20;
    rows.targets = made.targets;
    rows.targets_per_row = 1;
    metrics::graph::Runner row_runner(implementation.device, kVocab, 1);
    const metrics::RowSums sums = metrics::graph::row_sums(row_runner, rows);
    CHECK(row_runner.memory() <= 4 * footprint.row);
    metrics::PairBatch pairs;
    pairs.tensor_a = pairs.tensor_b = rows.tensor;
    pairs.vocab = kVocab;
    pairs.rows_a = {0, 1, 2, 3};
    pairs.rows_b = {1, 2, 3, 0};
    for (size_t i = 0; i < 4; ++i) {
      pairs.a.push_back(metrics::side_of(metrics::state_of(sums, i, kVocab)));
      pairs.b.push_back(metrics::side_of(metrics::state_of(sums, (i + 1) % 4, kVocab)));
    }
    pairs.members = 40;
    for (int32_t i = 0; i < 160; ++i) pairs.member_ids.push_back(i);
    metrics::graph::Runner pair_runner(implementation.device, kVocab, 1);
    metrics::graph::pair_sums(pair_runner, pairs);
    CHECK(pair_runner.memory() <= 4 * footprint.pair);
    // And not much less, which would make batches smaller than they need be.
    CHECK(2 * row_runner.memory() >= 4 * footprint.row);
    CHECK(2 * pair_runner.memory() >= 4 * footprint.pair);
  }
}

TEST("graph: a top K that is too long is refused before anything is decoded") {
  for (const Implementation& implementation : implementations()) {
    if (implementation.device == nullptr) continue;
    const auto reducer = implementation.reducer(4096);
    metrics::Request request;
    request.top_k = 64;
    reducer->check(request, 4096);
    request.top_k = 65;
    CHECK_FAULT(reducer->check(request, 4096), Code::kBadArgument);
    reducer->check(request, 64);
    request.top_k = 1;
    request.pair_top_k = {65};
    CHECK_FAULT(reducer->check(request, 4096), Code::kBadArgument);
  }
}

TEST("graph: models' rows are reduced on the device, not handed to the cpu kernels") {
  const Case made = random_case(3000, 8, 3, 0, 1, 29);
  for (const Implementation& implementation : implementations()) {
    if (implementation.device == nullptr) continue;
    const auto reducer = implementation.reducer(3000);
    const PlacedRows placed(implementation, made.rows);
    std::vector<double> sink(8);
    std::vector<metrics::RowTask> tasks(8);
    std::vector<metrics::PairTask> pairs(7);
    for (size_t i = 0; i < 8; ++i) {
      tasks[i].row = placed.row(i);
      tasks[i].record = true;
      tasks[i].out = {&sink[i], &sink[i], nullptr, nullptr, nullptr};
    }
    for (size_t i = 0; i < 7; ++i) {
      pairs[i].a = placed.row(i);
      pairs[i].b = placed.row(i + 1);
      pairs[i].out = {&sink[0], &sink[1], &sink[2], &sink[3], nullptr, nullptr, nullptr, nullptr};
    }
    reducer->reduce_rows(tasks, 3000, metrics::Request());
    reducer->reduce_pairs(pairs, 3000, metrics::Request());
    CHECK_EQ(dynamic_cast<const metrics::DeviceReducer&>(*reducer).handed_to_cpu(), size_t{0});
  }
}

}  // namespace logit_audit::test
