#include "metrics/baseline.h"

#include <algorithm>
#include <limits>

#include "error.h"

namespace logit_audit::metrics {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

void DiscardReducer::reduce_row(const float*, size_t vocab, const Request& request, RowRecord out) const {
  *out.logsumexp = kNothing;
  *out.entropy = kNothing;
  std::fill_n(out.masses, request.groups(), kNothing);
  std::fill_n(out.top_k_probs, std::min(request.top_k, vocab), kNothing);
}

void DiscardReducer::reduce_target(const float*, size_t, int32_t, TargetRecord out) const {
  *out.log_prob = kNothing;
  *out.rank = 0;
}

void DiscardReducer::reduce_pair(const float*, const float*, size_t, const Request& request,
                                 PairRecord out) const {
  for (double* value : {out.jsd, out.kl_pq, out.kl_qp, out.total_variation}) *value = kNothing;
  for (double* values : {out.partial, out.lower, out.upper}) {
    std::fill_n(values, request.pair_top_k.size(), kNothing);
  }
}

void CopyReducer::reduce_row(const float* row, size_t vocab, const Request& request, RowRecord out) const {
  DiscardReducer::reduce_row(row, vocab, request, out);
  rows_.insert(rows_.end(), row, row + vocab);
}

std::vector<float> CopyReducer::take() {
  std::vector<float> taken = std::move(rows_);
  rows_ = {};
  // The next window is as large as this one: its rows are copied once, and never again while memory grows.
  rows_.reserve(taken.size());
  return taken;
}

std::unique_ptr<Reducer> make_reducer(const std::string& name) {
  if (name == "cpu") return make_cpu_reducer();
  if (name == "discard") return std::make_unique<DiscardReducer>();
  if (name == "copy") return std::make_unique<CopyReducer>();
  throw Error(Code::kBadArgument, "there is no reducer \"" + name + "\"");
}

}  // namespace logit_audit::metrics
