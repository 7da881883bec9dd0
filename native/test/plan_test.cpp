#include "engine/plan.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "engine/align.h"
#include "test/check.h"

namespace logit_audit::test {

namespace {

Sequence sequence(uint32_t request, std::vector<llama_token> tokens, std::vector<uint32_t> positions = {}) {
  Sequence out;
  out.request = request;
  if (positions.empty()) positions = {static_cast<uint32_t>(tokens.size()) - 1};
  out.tokens = std::move(tokens);
  for (const uint32_t position : positions) out.steps.push_back({position, kNoTarget});
  return out;
}

size_t decoded(const std::vector<Batch>& batches) {
  size_t tokens = 0;
  for (const Batch& batch : batches) tokens += batch.decoded_tokens();
  return tokens;
}

// Plays the batches on a model of the KV cache and checks that every sequence finds its own tokens there, in
// order and without gaps, and that the row of every wanted step is handed out once, where its token is
// decoded.
void check_plan(const std::vector<Sequence>& sequences, const PlanOptions& options) {
  std::set<uint32_t> seen;
  std::map<std::pair<uint32_t, uint32_t>, int> handed_out;
  std::vector<std::vector<llama_token>> memory;
  for (const Batch& batch : plan_batches(sequences, options)) {
    CHECK(!batch.sequences.empty());
    CHECK(batch.sequences.size() <= options.slots);
    CHECK(batch.held_tokens + batch.decoded_tokens() + batch.growth <= options.cells ||
          batch.held_tokens == 0);
    std::vector<std::vector<llama_token>> next(batch.sequences.size());
    std::vector<uint32_t> from(batch.sequences.size());
    for (size_t slot = 0; slot < batch.sequences.size(); ++slot) {
      seen.insert(batch.sequences[slot]);
      const uint32_t cached = batch.cached[slot];
      CHECK(cached <= batch.held_tokens);
      if (cached > 0) {
        const auto& held = memory[batch.held_slot];
        next[slot].assign(held.begin(), held.begin() + cached);
      }
      from[slot] = cached;
    }
    for (const Run& run : batch.runs) {
      CHECK(run.begin < run.end);
      const auto& tokens = sequences[batch.sequences[run.first_slot]].tokens;
      for (uint32_t slot = run.first_slot; slot < run.first_slot + run.slots; ++slot) {
        CHECK_EQ(next[slot].size(), size_t{run.begin});
        next[slot].insert(next[slot].end(), tokens.begin() + run.begin, tokens.begin() + run.end);
      }
    }
    for (size_t slot = 0; slot < batch.sequences.size(); ++slot) {
      const Sequence& own = sequences[batch.sequences[slot]];
      CHECK(next[slot] == own.tokens);
      for (uint32_t step = 0; step < own.steps.size(); ++step) {
        if (own.steps[step].position >= from[slot]) ++handed_out[{batch.sequences[slot], step}];
      }
    }
    for (const Guest& guest : batch.guests) {
      CHECK(guest.position >= from[guest.slot]);
      const auto& path = next[guest.slot];
      const Sequence& own = sequences[guest.sequence];
      CHECK_EQ(own.steps[guest.step].position, guest.position);
      CHECK(guest.position < path.size());
      CHECK(std::equal(path.begin(), path.begin() + guest.position + 1, own.tokens.begin()));
      ++handed_out[{guest.sequence, guest.step}];
    }
    if (options.isolate) {
      CHECK(batch.sequences.size() == 1 || batch.growth > 0);
      for (const uint32_t s : batch.sequences) {
        CHECK_EQ(sequences[s].request, sequences[batch.sequences[0]].request);
      }
    }
    memory = next;
  }
  CHECK_EQ(seen.size(), sequences.size());
  for (uint32_t s = 0; s < sequences.size(); ++s) {
    for (uint32_t step = 0; step < sequences[s].steps.size(); ++step) CHECK_EQ((handed_out[{s, step}]), 1);
  }
}

size_t naive(const std::vector<Sequence>& sequences) {
  size_t tokens = 0;
  for (const Sequence& s : sequences) tokens += s.tokens.size();
  return tokens;
}

}  // namespace

TEST("plan: nothing gives no batch") { CHECK(plan_batches({}, {}).empty()); }

TEST("plan: a shared prefix is decoded once") {
  const std::vector<Sequence> sequences = {sequence(0, {1, 2, 3, 4}), sequence(0, {1, 2, 3, 5}),
                                           sequence(1, {1, 2, 6})};
  const auto batches = plan_batches(sequences, {});
  CHECK_EQ(batches.size(), size_t{1});
  CHECK_EQ(batches[0].decoded_tokens(), size_t{6});
  CHECK_EQ(batches[0].runs[0].slots, 3U);
  CHECK_EQ(batches[0].runs[0].end, 2U);
  check_plan(sequences, {});
}

TEST("plan: the same text twice costs one, a prefix of another nothing") {
  const std::vector<Sequence> sequences = {sequence(0, {1, 2, 3}), sequence(1, {1, 2, 3}),
                                           sequence(2, {1, 2})};
  CHECK_EQ(decoded(plan_batches(sequences, {})), size_t{3});
  check_plan(sequences, {});
}

TEST("plan: growing sequences have batches of their own, as many as the cache has room for") {
  std::vector<Sequence> sequences;
  for (uint32_t request = 0; request < 20; ++request) {
    sequences.push_back(sequence(request, {1, 2, 3, static_cast<llama_token>(10 + request)}));
    if (request % 2 == 0) sequences.back().growth = 30;
  }
  PlanOptions options;
  options.target_tokens = 8;
  options.cells = 100;
  check_plan(sequences, options);
  size_t growing = 0;
  for (const Batch& batch : plan_batches(sequences, options)) {
    for (const uint32_t s : batch.sequences) CHECK_EQ(sequences[s].growth > 0, batch.growth > 0);
    if (batch.growth == 0) continue;
    ++growing;
    CHECK(batch.held_tokens + batch.decoded_tokens() + batch.growth <= options.cells);
  }
  // Three times 30 and their prompts fit, four times do not.
  CHECK_EQ(growing, size_t{4});
}

TEST("plan: nothing is shared where nothing may be") {
  const std::vector<Sequence> sequences = {sequence(0, {1, 2, 3}), sequence(1, {1, 2, 3}),
                                           sequence(2, {1, 2})};
  PlanOptions options;
  options.share_prefixes = false;
  CHECK_EQ(decoded(plan_batches(sequences, options)), naive(sequences));
  check_plan(sequences, options);
}

TEST("plan: isolated sequences share nothing, in their own order; those that grow together stay together") {
  std::vector<Sequence> sequences = {sequence(0, {9, 2, 3, 4}), sequence(0, {9, 2, 3, 5}),
                                     sequence(1, {9, 2, 3, 4}), sequence(2, {1, 2}), sequence(2, {1, 3})};
  sequences[3].growth = sequences[4].growth = 7;
  PlanOptions options;
  options.isolate = true;
  const auto batches = plan_batches(sequences, options);
  CHECK_EQ(batches.size(), size_t{4});
  CHECK_EQ(decoded(batches), naive(sequences));
  CHECK(batches[3].sequences == std::vector<uint32_t>({3, 4}));
  CHECK_EQ(batches[3].growth, 14U);
  check_plan(sequences, options);
}

TEST("plan: a long prefix outlives its batch") {
  std::vector<llama_token> prefix(100);
  for (size_t i = 0; i < prefix.size(); ++i) prefix[i] = static_cast<llama_token>(i);
  std::vector<Sequence> sequences;
  for (uint32_t request = 0; request < 50; ++request) {
    std::vector<llama_token> tokens = prefix;
    for (int i = 0; i < 10; ++i)
      tokens.push_back(static_cast<llama_token>(1000 + 31 * request + static_cast<uint32_t>(i)));
    sequences.push_back(sequence(request, tokens));
  }
  PlanOptions options;
  options.target_tokens = 150;
  CHECK_EQ(decoded(plan_batches(sequences, options)), size_t{100 + 50 * 10});
  check_plan(sequences, options);
  // Where the cache has no room for it, it is decoded again, and nothing breaks.
  options.cells = 150;
  check_plan(sequences, options);
}

TEST("plan: a step wanted inside a held prefix is decoded again") {
  std::vector<llama_token> prefix(40, 7);
  std::vector<Sequence> sequences;
  for (uint32_t request = 0; request < 8; ++request) {
    std::vector<llama_token> tokens = prefix;
    for (uint32_t i = 0; i < 12; ++i) tokens.push_back(static_cast<llama_token>(100 + request));
    sequences.push_back(request % 3 == 0 ? sequence(request, tokens, {20, 51}) : sequence(request, tokens));
  }
  PlanOptions options;
  options.target_tokens = 64;
  check_plan(sequences, options);
}

TEST("plan: any sequences: every one once, limits kept, the cache always right") {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    std::vector<Sequence> sequences;
    const uint32_t requests = random() % 40;
    for (uint32_t request = 0; request < requests; ++request) {
      const size_t sides = 1 + random() % 4;
      for (size_t side = 0; side < sides; ++side) {
        std::vector<llama_token> tokens(1 + random() % 40);
        // Few different tokens: much is shared.
        for (llama_token& token : tokens) token = random() % 10 == 0 ? 1 : 0;
        std::vector<uint32_t> positions = {static_cast<uint32_t>(tokens.size()) - 1};
        if (random() % 3 == 0 && tokens.size() > 2) {
          positions.insert(positions.begin(), static_cast<uint32_t>(random() % (tokens.size() - 1)));
        }
        sequences.push_back(sequence(request, tokens, positions));
      }
    }
    PlanOptions options;
    options.target_tokens = 1 + random() % 128;
    options.slots = 4 + random() % 16;
    options.cells = 160 + random() % 512;
    options.share_prefixes = random() % 5 != 0;
    options.isolate = random() % 4 == 0;
    check_plan(sequences, options);
    CHECK(decoded(plan_batches(sequences, options)) <= naive(sequences));
  }
}

TEST("align: steps after the difference at which both continue alike") {
  using Steps = std::vector<std::pair<uint32_t, uint32_t>>;
  // 1 2 X 3 4 against 1 2 Y 3 4
  CHECK(aligned_steps({1, 2, 9, 3, 4}, {1, 2, 8, 3, 4}) == Steps({{2, 2}, {3, 3}}));
  // The swap has one token more.
  CHECK(aligned_steps({1, 2, 9, 3, 4}, {1, 2, 8, 8, 3, 4}) == Steps({{2, 3}, {3, 4}}));
  CHECK(aligned_steps({1, 2, 3}, {1, 2, 3}).empty());
  CHECK(aligned_steps({1, 2, 9}, {1, 2, 8}).empty());
  CHECK(aligned_steps({}, {1}).empty());
  // Nothing stands in front of the very first token.
  CHECK(aligned_steps({5, 9}, {7, 5, 9}) == Steps({{0, 1}}));
}

}  // namespace logit_audit::test
