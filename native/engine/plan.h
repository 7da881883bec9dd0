// Which tokens are decoded together, and which only once. Sequences of a window go into a prefix tree: what
// they share is decoded once for all of them, and what the next batch shares with this one stays in the KV
// cache. Pure: no context, so that it can be tested alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/sequence.h"

namespace logit_audit {

struct PlanOptions {
  // A batch is closed before it passes this many tokens to decode, unless one request alone has more. Growing
  // sequences fill the cache instead: each of their steps costs a pass, however many take it together.
  size_t target_tokens = 512;
  // Sequences that a batch may hold.
  uint32_t slots = 64;
  // Cells of the KV cache: held prefix and new tokens together must fit.
  size_t cells = 2048;
  // false: sequences share nothing (models whose memory cannot be cut at a token).
  bool share_prefixes = true;
  // true: every sequence is decoded alone and shares nothing, so that its rows depend on its tokens alone.
  // Only sequences of one request that grow together stay together.
  bool isolate = false;

  bool share() const { return share_prefixes && !isolate; }
};

// Tokens [begin, end) of the sequence in `first_slot`, decoded once for `slots` slots from there on.
struct Run {
  uint32_t first_slot = 0;
  uint32_t slots = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
};

// A step of a sequence of a later batch, on a prefix that is decoded in this one and held from then on.
struct Guest {
  // Where in this batch its token is decoded.
  uint32_t slot = 0;
  uint32_t position = 0;
  uint32_t sequence = 0;
  uint32_t step = 0;
};

struct Batch {
  // The sequence in each slot, in lexicographic order of tokens.
  std::vector<uint32_t> sequences;
  // In an order in which they can be decoded.
  std::vector<Run> runs;
  // Of the batch before: the slot whose first `held_tokens` tokens stay in the cache (0: none stay).
  uint32_t held_slot = 0;
  uint32_t held_tokens = 0;
  // How many tokens each slot takes from what was held. Its steps behind those are its own; the ones among
  // them are guests of the batches that decoded them.
  std::vector<uint32_t> cached;
  std::vector<Guest> guests;
  // Tokens that may be decoded behind the sequences, one after the other.
  uint32_t growth = 0;

  size_t decoded_tokens() const;
};

// Every sequence is in exactly one batch. Depends on the sequences and the options alone.
std::vector<Batch> plan_batches(const std::vector<Sequence>& sequences, const PlanOptions& options);

}  // namespace logit_audit
