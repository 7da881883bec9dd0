// What a window gives: columns, one entry a row, in order of request, side and step. Everything that crosses
// to JavaScript is one of these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/error.h"

namespace logit_audit {

// A request that could not be observed. It has no rows anywhere.
struct RequestFailure {
  uint32_t request = 0;
  Code code = Code::kInternal;
  std::string message;
  ErrorData data;
};

// Steps of probes and pairs. masses: rows x groups; top_k_*: rows x k.
struct RowTable {
  std::vector<uint32_t> request, side, position;
  std::vector<double> logsumexp, entropy, masses;
  std::vector<int32_t> top_k_ids;
  std::vector<double> top_k_probs;
};

// Steps of pairs, both sides together; `row` is the first side's row. The last four: pairs x ks.
struct PairTable {
  std::vector<uint32_t> request, row, row_swap;
  std::vector<double> jsd, kl_pq, kl_qp, total_variation;
  std::vector<uint32_t> union_size;
  std::vector<double> partial, lower, upper;
};

// Tokens that were scored: those of continuations.
struct TargetTable {
  std::vector<uint32_t> request, side, position;
  std::vector<int32_t> token;
  std::vector<double> log_prob;
  std::vector<uint32_t> rank;
};

// Every text as tokens: sequence s is ids [offsets[s], offsets[s + 1]).
struct SequenceTable {
  std::vector<uint32_t> request, side;
  std::vector<uint8_t> backed_off;
  std::vector<int32_t> ids;
  std::vector<uint32_t> offsets = {0};
};

struct Observations {
  RowTable rows;
  PairTable pairs;
  TargetTable targets;
  SequenceTable sequences;
  std::vector<RequestFailure> failures;
  // Tokens that were decoded, and that would have been were nothing shared.
  uint64_t decoded_tokens = 0;
  uint64_t naive_tokens = 0;
};

}  // namespace logit_audit
