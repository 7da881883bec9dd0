// Rows in host memory, reduced by the Rust crate through its C ABI: no copy, and one implementation of every
// number on the CPU.
#include <string>

#include "error.h"
#include "logit_audit_metrics.h"
#include "metrics/metrics.h"

namespace logit_audit::metrics {

namespace {

Code code_of(const la_status& status) {
  switch (status.code) {
    case LA_BAD_ARGUMENT:
      return Code::kBadArgument;
    case LA_EMPTY_INPUT:
      return Code::kEmptyInput;
    case LA_LENGTH_MISMATCH:
      return Code::kLengthMismatch;
    case LA_OUT_OF_RANGE:
      return Code::kOutOfRange;
    case LA_NOT_FINITE:
      return Code::kNotFinite;
    case LA_ALL_MASKED:
      return Code::kAllMasked;
    default:
      return Code::kInternal;
  }
}

void throw_unless_ok(const la_status& status) {
  if (status.code == LA_OK) return;
  std::string message(la_status_message(status, nullptr, 0) + 1, '\0');
  message.resize(la_status_message(status, message.data(), message.size()));
  ErrorData data;
  if (status.column >= 0) data.emplace_back("column", static_cast<double>(status.column));
  throw Error(code_of(status), message, std::move(data));
}

la_row_request row_request(const Request& request) {
  la_row_request out{};
  out.group_ids = request.group_ids.data();
  out.group_offsets = request.group_offsets.data();
  out.groups = request.groups();
  out.targets = nullptr;
  out.top_k = request.top_k;
  return out;
}

class CpuReducer final : public HostReducer {
 public:
  std::string name() const override { return "cpu"; }

  void check(const Request& request, size_t vocab) const override {
    const la_row_request row = row_request(request);
    throw_unless_ok(la_validate_groups(&row, vocab));
    for (const size_t k : request.pair_top_k) {
      if (k == 0) throw Error(Code::kBadArgument, "a top-K divergence needs K of at least 1");
    }
  }

 protected:
  void reduce_row(const float* row, size_t vocab, const Request& request, RowRecord out) const override {
    const la_row_request wanted = row_request(request);
    la_row_columns columns{};
    columns.logsumexp = out.logsumexp;
    columns.entropy = out.entropy;
    columns.masses = out.masses;
    columns.top_k_ids = out.top_k_ids;
    columns.top_k_probs = out.top_k_probs;
    throw_unless_ok(la_row_metrics(row, 1, vocab, &wanted, &columns));
  }

  void reduce_target(const float* row, size_t vocab, int32_t target, TargetRecord out) const override {
    la_row_request wanted{};
    wanted.targets = &target;
    la_row_columns columns{};
    columns.target_logprob = out.log_prob;
    columns.target_rank = out.rank;
    throw_unless_ok(la_row_metrics(row, 1, vocab, &wanted, &columns));
  }

  void reduce_pair(const float* a, const float* b, size_t vocab, const Request& request,
                   PairRecord out) const override {
    la_pair_columns columns{};
    columns.jsd = out.jsd;
    columns.kl_pq = out.kl_pq;
    columns.kl_qp = out.kl_qp;
    columns.total_variation = out.total_variation;
    columns.union_size = out.union_size;
    columns.partial = out.partial;
    columns.lower = out.lower;
    columns.upper = out.upper;
    throw_unless_ok(
        la_pair_metrics(a, b, 1, vocab, request.pair_top_k.data(), request.pair_top_k.size(), &columns));
  }
};

}  // namespace

std::unique_ptr<Reducer> make_cpu_reducer() { return std::make_unique<CpuReducer>(); }

}  // namespace logit_audit::metrics
