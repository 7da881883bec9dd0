// What a window gives: columns, one entry a row, in order of request, side and step. Everything that crosses
// to JavaScript is one of these.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/threads.h"
#include "error.h"

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

// Sums over the tokens of each continuation that was scored.
struct ScoreTable {
  std::vector<uint32_t> request, side, tokens, bytes;
  std::vector<double> log_prob;
};

// Tokens that were scored, one by one: those of continuations and of generations that ask for it.
struct TargetTable {
  std::vector<uint32_t> request, side, position;
  std::vector<int32_t> token;
  std::vector<double> log_prob;
  std::vector<uint32_t> rank;
};

// Why a generation ended.
enum class Finish : uint8_t {
  kEnd,      // the model chose a token that ends the text
  kStop,     // a stop string
  kLength,   // as many tokens as were asked for
  kContext,  // the context is full
};

// What was generated. ids: the tokens as they were chosen, one that ends the text and those of a stop string
// included; generation g is ids [offsets[g], offsets[g + 1]). log_prob: their sum.
struct GenerationTable {
  std::vector<uint32_t> request;
  std::vector<uint8_t> finish;
  std::vector<std::string> texts;
  std::vector<double> log_prob;
  std::vector<int32_t> ids;
  std::vector<uint32_t> offsets = {0};
};

// Texts as vectors of length 1. values: requests x dimensions.
struct EmbeddingTable {
  std::vector<uint32_t> request;
  std::vector<float> values;
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
  ScoreTable scores;
  TargetTable targets;
  GenerationTable generations;
  // What was written behind `then`, of the generations that could continue.
  GenerationTable followed;
  EmbeddingTable embeddings;
  SequenceTable sequences;
  std::vector<RequestFailure> failures;
  // Tokens that were decoded, and that would have been were nothing shared.
  uint64_t decoded_tokens = 0;
  uint64_t naive_tokens = 0;
  // What it was decoded on at the end.
  ThreadChoice threads;
};

}  // namespace logit_audit
