// From texts to columns of numbers: tokenize, plan, decode, reduce each wanted row where it lies.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/error.h"
#include "engine/model.h"
#include "metrics/metrics.h"

namespace logit_audit {

// One window of requests as sequences. The sequences of a request stand next to each other, side 0 first; a
// request with two sides gives a pair record besides its two row records.
struct ObserveInput {
  std::vector<std::string> texts;
  std::vector<uint32_t> request;
  std::vector<uint8_t> side;
  metrics::Request measure;
};

// A request that could not be observed. It has no rows and no pair.
struct RequestFailure {
  uint32_t request = 0;
  Code code = Code::kInternal;
  std::string message;
  ErrorData data;
};

// Columns; row columns in order of sequence, pair columns in order of request.
struct Observations {
  std::vector<uint32_t> row_request;
  std::vector<uint8_t> row_side;
  std::vector<uint32_t> row_position;
  std::vector<double> logsumexp;
  std::vector<double> entropy;
  std::vector<double> masses;
  std::vector<int32_t> top_k_ids;
  std::vector<double> top_k_probs;

  std::vector<uint32_t> pair_request;
  std::vector<double> jsd;
  std::vector<double> kl_pq;
  std::vector<double> kl_qp;
  std::vector<double> total_variation;
  // pairs x ks, row-major
  std::vector<uint32_t> union_size;
  std::vector<double> partial;
  std::vector<double> lower;
  std::vector<double> upper;

  // Token ids of every observed sequence, one after the other: sequence s is [offsets[s], offsets[s + 1]).
  std::vector<int32_t> token_ids;
  std::vector<uint32_t> token_offsets;

  std::vector<RequestFailure> failures;
  uint64_t decoded_tokens = 0;
};

// Observes a window. A text that is empty or does not fit, and a row of logits that is no row, is a failure
// of its request alone. Throws bad_argument and out_of_range for a request that fits no vocabulary,
// cancelled, and engine_failed where llama.cpp could not decode.
Observations observe(const Model& model, Context& context, const metrics::Reducer& reducer,
                     const ObserveInput& input, const std::atomic<bool>& cancel);

}  // namespace logit_audit
