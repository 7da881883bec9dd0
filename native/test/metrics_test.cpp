// Every reducer against the golden vectors: those committed, and the shared ones where they are.
#include "metrics/metrics.h"

#include <memory>

#include "engine/error.h"
#include "test/check.h"
#include "test/files.h"

namespace logit_audit::test {

namespace {

// float64 results of float32 logits; the order of summation differs from the vectors'.
constexpr double kRelative = 1e-6;

double tolerance(double expected) { return kRelative * std::max(1e-9, std::fabs(expected)); }

std::vector<std::unique_ptr<metrics::Reducer>> reducers() {
  std::vector<std::unique_ptr<metrics::Reducer>> all;
  all.push_back(metrics::make_cpu_reducer());
  return all;
}

void check_row_case(const metrics::Reducer& reducer, const Json& entry) {
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
  reducer.check(request, row.size());
  reducer.reduce_row(row.data(), row.size(), request,
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

void check_pair_case(const metrics::Reducer& reducer, const Json& entry) {
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
  reducer.reduce_pair(
      a.data(), b.data(), a.size(), request,
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
  for (const auto& reducer : reducers()) {
    for (const Json& entry : cases_of(rows)) check_row_case(*reducer, entry);
    for (const Json& entry : cases_of(pairs)) check_pair_case(*reducer, entry);
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
  for (const auto& reducer : reducers()) {
    metrics::Request request;
    double sink = 0;
    std::vector<float> row = {0.0F, 1.0F, NAN, 2.0F};
    const metrics::RowRecord out = {&sink, &sink, nullptr, nullptr, nullptr};
    CHECK_FAULT(reducer->reduce_row(row.data(), row.size(), request, out), Code::kNotFinite);
    row[2] = INFINITY;
    CHECK_FAULT(reducer->reduce_row(row.data(), row.size(), request, out), Code::kNotFinite);
    row.assign(4, -INFINITY);
    CHECK_FAULT(reducer->reduce_row(row.data(), row.size(), request, out), Code::kAllMasked);
    try {
      row = {0.0F, 1.0F, NAN};
      reducer->reduce_row(row.data(), row.size(), request, out);
    } catch (const Error& error) {
      CHECK_EQ(error.data().size(), size_t{1});
      CHECK_EQ(error.data()[0].first, std::string("column"));
      CHECK_EQ(std::get<double>(error.data()[0].second), 2.0);
    }
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

}  // namespace logit_audit::test
