// What a device must be able to do: sums over rows of logits where they lie. A few float32 numbers a row come
// back; device.cpp makes results of them in float64 (finish.h). graph/, cuda/ and metal/ implement this, with
// the same stems.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "metrics/metrics.h"

namespace logit_audit::metrics {

// Logits beyond this, either way, and rows whose largest one is, are left to the cpu kernels: a quarter must
// be a float32 number with digits to spare there.
inline constexpr float kLargestLogit = 262144.0F;

// Rows [first, first + count) of a tensor, and what is wanted of each.
struct RowBatch {
  const ggml_tensor* tensor = nullptr;
  size_t first = 0;
  size_t count = 0;
  // May be null: then no masses are wanted.
  const Request* groups = nullptr;
  // How many of the largest logits; at least 1, at most the vocabulary.
  size_t top = 1;
  // `targets_per_row` ids of each row, row by row; all in the vocabulary.
  std::vector<int32_t> targets;
  size_t targets_per_row = 0;
};

// Of each row of a batch, everything measured from its largest logit.
struct RowSums {
  // The sum of all logits: NaN or +inf tells that one of them is.
  std::vector<float> check;
  std::vector<float> max;
  // How many logits are below the largest.
  std::vector<float> below;
  // Over those: sum of exp(z - max), and of exp(z - max) (z - max).
  std::vector<float> rest;
  std::vector<float> weighted;
  // count x groups: sum of exp(z - max).
  std::vector<float> masses;
  // count x top: the largest logits, largest first, of equal ones the lowest id first.
  std::vector<float> top_logits;
  std::vector<int32_t> top_ids;
  // count x targets_per_row: the target's logit, and how many are larger.
  std::vector<float> target_logits;
  std::vector<float> larger;
};

// One side of a pair: the reference is the largest logit rounded to a quarter, `log_sum` the natural
// logarithm of the sum of exp(z - reference).
struct PairSide {
  float reference = 0;
  double log_sum = 0;
};

// Pairs of rows that lie in two tensors, or in one.
struct PairBatch {
  const ggml_tensor* tensor_a = nullptr;
  const ggml_tensor* tensor_b = nullptr;
  size_t vocab = 0;
  std::vector<int32_t> rows_a;
  std::vector<int32_t> rows_b;
  std::vector<PairSide> a;
  std::vector<PairSide> b;
  // `members` ids of each pair, pair by pair: tokens that no sum takes in, and whose logits are wanted. An id
  // may come twice.
  std::vector<int32_t> member_ids;
  size_t members = 0;

  size_t count() const { return rows_a.size(); }
};

// Of each pair of a batch, over all tokens but the members.
struct PairSums {
  std::vector<float> jsd;
  std::vector<float> kl_pq;
  std::vector<float> kl_qp;
  // Sums of p - q where p is larger, and of q - p where q is.
  std::vector<float> down;
  std::vector<float> up;
  std::vector<float> p;
  std::vector<float> q;
  // Tokens whose probabilities are apart by more than exp(80): the sums do not hold then.
  std::vector<float> far;
  // count x members.
  std::vector<float> member_logits_a;
  std::vector<float> member_logits_b;
};

// Bytes of device memory that one row, and one pair, takes for the moment.
struct Footprint {
  size_t row = 0;
  size_t pair = 0;
};

class Kernels {
 public:
  virtual ~Kernels() = default;
  virtual std::string name() const = 0;
  // The largest K of a top K.
  virtual size_t most_top() const = 0;
  virtual Footprint footprint() const = 0;
  // Both throw engine_failed where the device could not.
  virtual RowSums rows(const RowBatch& batch) = 0;
  virtual PairSums pairs(const PairBatch& batch) = 0;
};

}  // namespace logit_audit::metrics
