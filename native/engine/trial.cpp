#include "engine/trial.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace logit_audit {

namespace {

// How far a number may be from that of the cpu kernels. Wrong memory, or rows in a wrong order, are off by
// more.
constexpr double kSameNumber = 1e-5;

constexpr size_t kTopK = 5;
// Tokens in each of two groups.
constexpr size_t kMembers = 8;

metrics::Request trial_request(size_t vocab) {
  const size_t members = std::min(kMembers, vocab / 2);
  metrics::Request request;
  // The vocabulary's first tokens and its last ones.
  for (const size_t first : {size_t{0}, vocab - members}) {
    for (size_t i = 0; i < members; ++i) request.group_ids.push_back(static_cast<int32_t>(first + i));
    request.group_offsets.push_back(request.group_ids.size());
  }
  request.top_k = std::min(kTopK, vocab);
  request.pair_top_k = {request.top_k};
  return request;
}

using Numbers = std::vector<std::pair<std::string, double>>;

void add_row(Numbers& out, const metrics::Reducer& reducer, const metrics::Row& row, size_t vocab,
             const metrics::Request& request) {
  double logsumexp = 0;
  double entropy = 0;
  double log_prob = 0;
  uint32_t rank = 0;
  std::vector<double> masses(request.groups());
  std::vector<int32_t> ids(request.top_k);
  std::vector<double> probs(request.top_k);
  std::vector<metrics::RowTask> tasks(1);
  metrics::RowTask& task = tasks[0];
  task.row = row;
  task.record = true;
  task.out = {&logsumexp, &entropy, masses.data(), ids.data(), probs.data()};
  task.target = static_cast<int32_t>(vocab / 2);
  task.target_out = {&log_prob, &rank};
  reducer.reduce_rows(tasks, vocab, request);
  if (task.fault) throw Error(*task.fault);
  out.insert(out.end(), {{"logsumexp", logsumexp}, {"entropy", entropy}, {"log_prob", log_prob}});
  out.emplace_back("rank", rank);
  for (const double mass : masses) out.emplace_back("mass", mass);
  for (const int32_t id : ids) out.emplace_back("top_k_id", id);
  for (const double prob : probs) out.emplace_back("top_k_prob", prob);
}

void add_pair(Numbers& out, const metrics::Reducer& reducer, const TrialRows& rows, size_t vocab,
              const metrics::Request& request) {
  double jsd = 0;
  double kl_pq = 0;
  double kl_qp = 0;
  double total_variation = 0;
  uint32_t union_size = 0;
  double partial = 0;
  double lower = 0;
  double upper = 0;
  std::vector<metrics::PairTask> tasks(1);
  metrics::PairTask& task = tasks[0];
  task.a = rows[0];
  task.b = rows[1];
  task.out = {&jsd, &kl_pq, &kl_qp, &total_variation, &union_size, &partial, &lower, &upper};
  reducer.reduce_pairs(tasks, vocab, request);
  if (task.fault) throw Error(*task.fault);
  out.insert(out.end(), {{"jsd", jsd},
                         {"kl_pq", kl_pq},
                         {"kl_qp", kl_qp},
                         {"total_variation", total_variation},
                         {"partial", partial},
                         {"lower", lower},
                         {"upper", upper}});
  out.emplace_back("union_size", union_size);
}

Numbers numbers_of(const metrics::Reducer& reducer, const TrialRows& rows, size_t vocab) {
  const metrics::Request request = trial_request(vocab);
  Numbers out;
  for (const metrics::Row& row : rows) add_row(out, reducer, row, vocab, request);
  add_pair(out, reducer, rows, vocab, request);
  return out;
}

}  // namespace

bool near(double a, double b, double tolerance) {
  return a == b || std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
}

std::string first_difference(const metrics::Reducer& reducer, const TrialRows& rows,
                             const metrics::Reducer& reference, const TrialRows& copies, size_t vocab) {
  const Numbers here = numbers_of(reducer, rows, vocab);
  const Numbers there = numbers_of(reference, copies, vocab);
  for (size_t i = 0; i < here.size(); ++i) {
    if (!near(here[i].second, there[i].second, kSameNumber)) return here[i].first;
  }
  return "";
}

}  // namespace logit_audit
