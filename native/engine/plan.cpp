#include "engine/plan.h"

#include <algorithm>
#include <limits>
#include <set>

#include "engine/tokens.h"

namespace logit_audit {

namespace {

using Sequences = std::vector<Sequence>;

struct ByTokens {
  const Sequences* sequences;
  bool operator()(uint32_t a, uint32_t b) const {
    const auto& x = (*sequences)[a].tokens;
    const auto& y = (*sequences)[b].tokens;
    if (x != y) return x < y;
    return a < b;
  }
};

// Sequences that are taken up together: those of one request, as far as the slots go.
struct Unit {
  std::vector<uint32_t> sequences;
  bool grows = false;
};

std::vector<Unit> make_units(const Sequences& sequences, const PlanOptions& options) {
  std::vector<Unit> units;
  for (uint32_t s = 0; s < sequences.size(); ++s) {
    const bool same = s > 0 && sequences[s].request == sequences[s - 1].request &&
                      units.back().sequences.size() < options.slots &&
                      (!options.isolate || sequences[s].growth > 0);
    if (!same) units.emplace_back();
    units.back().sequences.push_back(s);
    units.back().grows = units.back().grows || sequences[s].growth > 0;
  }
  if (options.isolate) return units;
  // Those that grow come last; neighbours share the longest prefixes. Ties keep the order of requests.
  const ByTokens less{&sequences};
  std::stable_sort(units.begin(), units.end(), [&](const Unit& a, const Unit& b) {
    if (a.grows != b.grows) return b.grows;
    return options.share_prefixes && less(a.sequences.front(), b.sequences.front());
  });
  return units;
}

// The sequences of a batch while it is being filled, with the number of tokens that its prefix tree has.
class Filling {
 public:
  Filling(const Sequences& sequences, bool share)
      : sequences_(&sequences), share_(share), members_(ByTokens{&sequences}) {}

  // In a prefix tree a new sequence adds what it does not share with its nearest neighbour.
  void add(uint32_t s) {
    const auto [at, _] = members_.insert(s);
    const auto& tokens = (*sequences_)[s].tokens;
    size_t shared = 0;
    if (share_ && at != members_.begin())
      shared = common_prefix(tokens, (*sequences_)[*std::prev(at)].tokens);
    if (share_ && std::next(at) != members_.end()) {
      shared = std::max(shared, common_prefix(tokens, (*sequences_)[*std::next(at)].tokens));
    }
    tokens_ += tokens.size() - shared;
    growth_ += (*sequences_)[s].growth;
  }
  void add(const Unit& unit) {
    for (const uint32_t s : unit.sequences) add(s);
  }
  size_t tokens() const { return tokens_; }
  size_t growth() const { return growth_; }
  size_t size() const { return members_.size(); }
  std::vector<uint32_t> members() const { return {members_.begin(), members_.end()}; }

 private:
  const Sequences* sequences_;
  bool share_;
  std::set<uint32_t, ByTokens> members_;
  size_t tokens_ = 0;
  size_t growth_ = 0;
};

std::vector<std::vector<uint32_t>> fill_batches(const Sequences& sequences, const PlanOptions& options) {
  std::vector<std::vector<uint32_t>> batches;
  Filling filling(sequences, options.share());
  const auto close = [&] {
    if (filling.size() != 0) batches.push_back(filling.members());
  };
  bool growing = false;
  for (const Unit& unit : make_units(sequences, options)) {
    Filling tried = filling;
    tried.add(unit);
    const size_t room = unit.grows ? options.cells : options.target_tokens;
    const bool fits = !options.isolate && unit.grows == growing && tried.size() <= options.slots &&
                      tried.tokens() + tried.growth() <= room;
    growing = unit.grows;
    if (fits || filling.size() == 0) {
      filling = tried;
    } else {
      close();
      filling = Filling(sequences, options.share());
      filling.add(unit);
    }
  }
  close();
  return batches;
}

// Walks the prefix tree of the slots [first, last), which share their first `depth` tokens.
class Tree {
 public:
  Tree(const Sequences& sequences, Batch& batch, bool share)
      : sequences_(sequences), batch_(batch), share_(share) {}

  // Every node with its slots, parents first.
  template <typename Visit>
  void walk(uint32_t first, uint32_t last, size_t depth, Visit visit) const {
    if (!share_ && last - first > 1) {
      for (uint32_t slot = first; slot < last; ++slot) walk(slot, slot + 1, 0, visit);
      return;
    }
    // Slots are sorted: what the first and the last share, all share.
    const size_t end =
        last - first == 1 ? tokens(first).size() : common_prefix(tokens(first), tokens(last - 1));
    if (end > depth) {
      visit(Run{first, last - first, static_cast<uint32_t>(depth), static_cast<uint32_t>(end)});
    }
    if (last - first == 1) return;
    uint32_t child = first;
    // A sequence that ends here is a prefix of the others and comes before them.
    while (child < last && tokens(child).size() == end) ++child;
    while (child < last) {
      uint32_t next = child + 1;
      while (next < last && tokens(next)[end] == tokens(child)[end]) ++next;
      walk(child, next, end, visit);
      child = next;
    }
  }

 private:
  const std::vector<llama_token>& tokens(uint32_t slot) const {
    return sequences_[batch_.sequences[slot]].tokens;
  }

  const Sequences& sequences_;
  Batch& batch_;
  bool share_;
};

// Chooses what of the batch before stays in the cache, and how much of it each slot may take.
void hold_prefix(const Sequences& sequences, const Batch& before, Batch& batch, const PlanOptions& options) {
  batch.cached.assign(batch.sequences.size(), 0);
  if (!options.share()) return;
  const auto& front = sequences[batch.sequences.front()].tokens;
  for (uint32_t slot = 0; slot < before.sequences.size(); ++slot) {
    const size_t shared = common_prefix(sequences[before.sequences[slot]].tokens, front);
    if (shared > batch.held_tokens) {
      batch.held_slot = slot;
      batch.held_tokens = static_cast<uint32_t>(shared);
    }
  }
  for (uint32_t slot = 0; slot < batch.sequences.size(); ++slot) {
    const size_t shared = common_prefix(sequences[batch.sequences[slot]].tokens, front);
    batch.cached[slot] = static_cast<uint32_t>(std::min<size_t>(shared, batch.held_tokens));
  }
}

void make_runs(const Sequences& sequences, Batch& batch, const PlanOptions& options) {
  const Tree tree(sequences, batch, options.share());
  const auto slots = static_cast<uint32_t>(batch.sequences.size());
  tree.walk(0, slots, 0, [&](Run run) {
    run.begin = std::max(run.begin, std::min(run.end, batch.cached[run.first_slot]));
    if (run.begin < run.end) batch.runs.push_back(run);
  });
}

// Steps of the last batch on what it takes from the cache: each is put where its token is decoded.
void place_guests(const Sequences& sequences, std::vector<Batch>& batches) {
  const size_t last = batches.size() - 1;
  for (uint32_t slot = 0; slot < batches[last].sequences.size(); ++slot) {
    const uint32_t s = batches[last].sequences[slot];
    const std::vector<Step>& steps = sequences[s].steps;
    for (uint32_t step = 0; step < steps.size() && steps[step].position < batches[last].cached[slot];
         ++step) {
      // What is held may have been held before.
      size_t at = last;
      uint32_t path = slot;
      while (steps[step].position < batches[at].cached[path]) {
        path = batches[at].held_slot;
        --at;
      }
      batches[at].guests.push_back({path, steps[step].position, s, step});
    }
  }
}

}  // namespace

size_t Batch::decoded_tokens() const {
  size_t tokens = 0;
  for (const Run& run : runs) tokens += run.end - run.begin;
  return tokens;
}

std::vector<Batch> plan_batches(const std::vector<Sequence>& sequences, const PlanOptions& options) {
  std::vector<Batch> batches;
  for (std::vector<uint32_t>& members : fill_batches(sequences, options)) {
    Batch batch;
    batch.sequences = std::move(members);
    batch.cached.assign(batch.sequences.size(), 0);
    if (!batches.empty()) hold_prefix(sequences, batches.back(), batch, options);
    for (const uint32_t s : batch.sequences) batch.growth += sequences[s].growth;
    make_runs(sequences, batch, options);
    if (batch.held_tokens + batch.decoded_tokens() + batch.growth > options.cells) {
      batch.held_tokens = 0;
      batch.runs.clear();
      batch.cached.assign(batch.sequences.size(), 0);
      make_runs(sequences, batch, options);
    }
    batches.push_back(std::move(batch));
    place_guests(sequences, batches);
  }
  return batches;
}

}  // namespace logit_audit
