// Every implementation against the golden vectors: those committed, and the shared ones where they are.
#include "metrics/metrics.h"

#include <cmath>

#include "error.h"
#include "test/check.h"
#include "test/files.h"
#include "test/implementations.h"

namespace logit_audit::test {

namespace {

// float64 results of float32 logits; the order of summation differs from the vectors'.
constexpr double kRelative = 1e-6;

double tolerance(double expected) { return kRelative * std::max(1e-9, std::fabs(expected)); }

void check_row_case(const Implementation& implementation, const Json& entry) {
  const std::vector<float> row = floats(entry.at("logits"));
  metrics::Request request;
  for (const Json& group : entry.at("groups")) {
    for (const Json& id : group) request.group_ids.push_back(id.get<int32_t>());
    request.group_offsets.push_back(request.group_ids.size());
  }
  request.top_k = entry.at("k").get<size_t>();
  double logsumexp = 0;
  double entropy = 0;
  std::vector<double> masses(request.groups());
  std::vector<int32_t> ids(request.top_k);
  std::vector<double> probs(request.top_k);
  const auto reducer = implementation.reducer(row.size());
  const PlacedRows placed(implementation, {row});
  reducer->check(request, row.size());
  reduce_row(*reducer, placed.row(0), row.size(), request,
             {&logsumexp, &entropy, masses.data(), ids.data(), probs.data()});

  const Json& expect = entry.at("expect");
  CHECK_NEAR(logsumexp, expect.at("logsumexp").get<double>(),
             tolerance(expect.at("logsumexp").get<double>()));
  CHECK_NEAR(entropy, expect.at("entropy").get<double>(), tolerance(expect.at("entropy").get<double>()));
  for (size_t g = 0; g < masses.size(); ++g) {
    const double mass = expect.at("masses")[g].get<double>();
    CHECK_NEAR(masses[g], mass, tolerance(mass));
  }
  const size_t k = std::min(request.top_k, expect.at("topKIds").size());
  for (size_t i = 0; i < k; ++i) {
    CHECK_EQ(ids[i], expect.at("topKIds")[i].get<int32_t>());
    const double probability = expect.at("topKProbs")[i].get<double>();
    CHECK_NEAR(probs[i], probability, tolerance(probability));
  }
}

void check_pair_case(const Implementation& implementation, const Json& entry) {
  const std::vector<float> a = floats(entry.at("a"));
  const std::vector<float> b = floats(entry.at("b"));
  const Json& expect = entry.at("expect");
  metrics::Request request;
  for (const auto& [k, _] : expect.at("topK").items()) request.pair_top_k.push_back(std::stoul(k));
  const size_t ks = request.pair_top_k.size();
  double jsd = 0;
  double kl_pq = 0;
  double kl_qp = 0;
  double variation = 0;
  std::vector<uint32_t> unions(ks);
  std::vector<double> partial(ks);
  std::vector<double> lower(ks);
  std::vector<double> upper(ks);
  const auto reducer = implementation.reducer(a.size());
  const PlacedRows placed(implementation, {a, b});
  reduce_pair(*reducer, placed.row(0), placed.row(1), a.size(), request,
              {&jsd, &kl_pq, &kl_qp, &variation, unions.data(), partial.data(), lower.data(), upper.data()});
  CHECK_NEAR(jsd, number(expect.at("jsd")), tolerance(number(expect.at("jsd"))));
  CHECK_NEAR(kl_pq, number(expect.at("klPQ")), tolerance(number(expect.at("klPQ"))));
  CHECK_NEAR(kl_qp, number(expect.at("klQP")), tolerance(number(expect.at("klQP"))));
  CHECK_NEAR(variation, number(expect.at("totalVariation")), tolerance(number(expect.at("totalVariation"))));
  for (size_t i = 0; i < ks; ++i) {
    const Json& form = expect.at("topK").at(std::to_string(request.pair_top_k[i]));
    CHECK_EQ(unions[i], form.at("unionSize").get<uint32_t>());
    CHECK_NEAR(partial[i], number(form.at("partial")), tolerance(number(form.at("partial"))));
    CHECK_NEAR(lower[i], number(form.at("lower")), tolerance(number(form.at("lower"))));
    CHECK_NEAR(upper[i], number(form.at("upper")), tolerance(number(form.at("upper"))));
  }
}

const Json& cases_of(const Json& file) { return file.is_array() ? file : file.at("cases"); }

void check_vectors(const std::filesystem::path& folder) {
  const Json rows = read_json(folder / "rows.json");
  const Json pairs = read_json(folder / "pairs.json");
  for (const Implementation& implementation : implementations()) {
    for (const Json& entry : cases_of(rows)) check_row_case(implementation, entry);
    for (const Json& entry : cases_of(pairs)) check_pair_case(implementation, entry);
  }
}

}  // namespace

TEST("metrics: committed vectors") { check_vectors("test/vectors"); }

TEST("metrics: shared vectors") {
  const auto folder = shared_folder() / "vectors";
  if (!std::filesystem::exists(folder)) return skip("no shared vectors beside the checkout");
  check_vectors(folder);
}

TEST("metrics: faults carry code and column") {
  for (const Implementation& implementation : implementations()) {
    const metrics::Request nothing;
    double sink = 0;
    const metrics::RowRecord out = {&sink, &sink, nullptr, nullptr, nullptr};
    const auto reduce = [&](const std::vector<float>& row) {
      const PlacedRows placed(implementation, {row});
      reduce_row(*implementation.reducer(row.size()), placed.row(0), row.size(), nothing, out);
    };
    CHECK_FAULT(reduce({0.0F, 1.0F, NAN, 2.0F}), Code::kNotFinite);
    CHECK_FAULT(reduce({0.0F, 1.0F, INFINITY, 2.0F}), Code::kNotFinite);
    CHECK_FAULT(reduce({-INFINITY, INFINITY, 0.0F, 1.0F}), Code::kNotFinite);
    CHECK_FAULT(reduce(std::vector<float>(4, -INFINITY)), Code::kAllMasked);
    try {
      reduce({0.0F, 1.0F, NAN});
      CHECK(false);
    } catch (const Error& error) {
      CHECK_EQ(error.data().size(), size_t{1});
      CHECK_EQ(error.data()[0].first, std::string("column"));
      CHECK_EQ(std::get<double>(error.data()[0].second), 2.0);
    }
    const auto reducer = implementation.reducer(4);
    metrics::Request request;
    request.group_ids = {4};
    request.group_offsets = {0, 1};
    CHECK_FAULT(reducer->check(request, 4), Code::kOutOfRange);
    request.group_ids = {-1};
    CHECK_FAULT(reducer->check(request, 4), Code::kOutOfRange);
    request.group_ids = {3};
    request.pair_top_k = {0};
    CHECK_FAULT(reducer->check(request, 4), Code::kBadArgument);
  }
}

TEST("metrics: a fault of one row is no fault of its neighbours") {
  for (const Implementation& implementation : implementations()) {
    const std::vector<std::vector<float>> rows = {
        {0, 1, 2, 3}, {0, NAN, 2, 3}, {3, 2, 1, 0}, {1e30F, 0, 0, 0}};
    const PlacedRows placed(implementation, rows);
    const auto reducer = implementation.reducer(4);
    std::vector<double> sums(rows.size());
    std::vector<double> entropies(rows.size());
    std::vector<metrics::RowTask> tasks(rows.size());
    for (size_t i = 0; i < rows.size(); ++i) {
      tasks[i].row = placed.row(i);
      tasks[i].record = true;
      tasks[i].out = {&sums[i], &entropies[i], nullptr, nullptr, nullptr};
    }
    reducer->reduce_rows(tasks, 4, metrics::Request());
    CHECK(tasks[1].fault.has_value());
    for (const size_t i : {0, 2, 3}) CHECK(!tasks[i].fault.has_value());
    CHECK_NEAR(sums[0], 3.4401896985611953, 1e-6);
    CHECK_NEAR(entropies[2], entropies[0], 1e-6);
    CHECK_NEAR(sums[3], static_cast<double>(1e30F), 1e22);
    std::vector<metrics::PairTask> pairs(2);
    double pair[4] = {};
    for (size_t i = 0; i < 2; ++i) {
      pairs[i].a = placed.row(0);
      pairs[i].b = placed.row(i + 1);
      pairs[i].out = {&pair[0], &pair[1], &pair[2], &pair[3], nullptr, nullptr, nullptr, nullptr};
    }
    reducer->reduce_pairs(pairs, 4, metrics::Request());
    CHECK(pairs[0].fault.has_value() && pairs[0].fault->code() == Code::kNotFinite);
    CHECK(!pairs[1].fault.has_value());
    CHECK(pair[0] > 0.1);
  }
}

}  // namespace logit_audit::test
