// One interface to the numbers, wherever the logits lie: rows in place, a request, records out.
// cpu.cpp reduces rows in host memory through the Rust crate; device.cpp those in a device's memory, through
// the kernels of graph/, cuda/ or metal/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "error.h"
#include "metrics/place.h"

namespace logit_audit::metrics {

// What is computed of every row, and of every pair of rows.
struct Request {
  // Token ids of all groups, one group after the other; group g is [offsets[g], offsets[g + 1]).
  std::vector<int32_t> group_ids;
  std::vector<size_t> group_offsets = {0};
  // How many of the likeliest tokens, 0 for none.
  size_t top_k = 0;
  // The K of each top-K form of a pair's Jensen-Shannon divergence.
  std::vector<size_t> pair_top_k;

  size_t groups() const { return group_offsets.size() - 1; }
};

// Where one row's record goes: single values, `groups` masses, `top_k` ids and probabilities.
struct RowRecord {
  double* logsumexp = nullptr;
  double* entropy = nullptr;
  double* masses = nullptr;
  int32_t* top_k_ids = nullptr;
  double* top_k_probs = nullptr;
};

// Where one pair's record goes: single values, then one value per K.
struct PairRecord {
  double* jsd = nullptr;
  double* kl_pq = nullptr;
  double* kl_qp = nullptr;
  double* total_variation = nullptr;
  uint32_t* union_size = nullptr;
  double* partial = nullptr;
  double* lower = nullptr;
  double* upper = nullptr;
};

// The target of a row that has none.
inline constexpr int32_t kNoTarget = -1;

// Natural logarithm of the target's probability, and 1 + the number of strictly larger logits.
struct TargetRecord {
  double* log_prob = nullptr;
  uint32_t* rank = nullptr;
};

// What is wanted of one row. Several may ask of the same row.
struct RowTask {
  Row row;
  bool record = false;
  RowRecord out;
  int32_t target = kNoTarget;
  TargetRecord target_out;
  // Why there are no numbers: not_finite or all_masked, with the column.
  std::optional<Error> fault;
};

struct PairTask {
  Row a;
  Row b;
  PairRecord out;
  std::optional<Error> fault;
};

class Reducer {
 public:
  virtual ~Reducer() = default;
  virtual std::string name() const = 0;
  // Throws bad_argument or out_of_range where the request does not fit a vocabulary of this size.
  virtual void check(const Request& request, size_t vocab) const = 0;
  // Both take the rows of one decode call. A row that is no row of logits is a fault of its task alone; both
  // throw engine_failed where a device could not compute.
  virtual void reduce_rows(std::vector<RowTask>& tasks, size_t vocab, const Request& request) const = 0;
  virtual void reduce_pairs(std::vector<PairTask>& tasks, size_t vocab, const Request& request) const = 0;
};

// Takes rows one by one, in host memory.
class HostReducer : public Reducer {
 public:
  void reduce_rows(std::vector<RowTask>& tasks, size_t vocab, const Request& request) const final;
  void reduce_pairs(std::vector<PairTask>& tasks, size_t vocab, const Request& request) const final;

 protected:
  // All three throw not_finite or all_masked, with the column, where a row is no row of logits.
  virtual void reduce_row(const float* row, size_t vocab, const Request& request, RowRecord out) const = 0;
  virtual void reduce_target(const float* row, size_t vocab, int32_t target, TargetRecord out) const = 0;
  virtual void reduce_pair(const float* a, const float* b, size_t vocab, const Request& request,
                           PairRecord out) const = 0;
};

// Rows in host memory, by the Rust crate.
std::unique_ptr<Reducer> make_cpu_reducer();

}  // namespace logit_audit::metrics
