#include "engine/token_choice.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "error.h"

namespace logit_audit {

namespace {

constexpr float kMasked = -std::numeric_limits<float>::infinity();

// A number in [0, 1) that depends on the seed and the step alone: the finaliser of SplitMix64 (Steele, Lea
// and Flood 2014) over a counter, so that no state can come out of step with the text.
double uniform(uint64_t seed, uint64_t step) {
  uint64_t x = seed + (step + 1) * 0x9e3779b97f4a7c15ULL;
  for (int round = 0; round < 2; ++round) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    x ^= x >> 31;
  }
  return static_cast<double>(x >> 11) * 0x1.0p-53;
}

struct Weighted {
  double weight = 0;
  llama_token token = 0;
};

// The likelier comes later; of equally likely tokens the one with the higher id comes earlier.
bool less_likely(const Weighted& a, const Weighted& b) {
  return a.weight < b.weight || (a.weight == b.weight && a.token > b.token);
}

// The fewest likeliest tokens that together have at least `mass`.
std::vector<Weighted> nucleus(std::vector<Weighted> tokens, double mass) {
  // A heap gives the likeliest one by one: a few of a vocabulary, where sorting would order them all.
  std::make_heap(tokens.begin(), tokens.end(), less_likely);
  std::vector<Weighted> kept;
  double sum = 0;
  for (auto end = tokens.end(); end != tokens.begin() && (kept.empty() || sum < mass); --end) {
    std::pop_heap(tokens.begin(), end, less_likely);
    kept.push_back(*(end - 1));
    sum += kept.back().weight;
  }
  return kept;
}

}  // namespace

void check_decoding(const Decoding& decoding) {
  if (decoding.max_tokens == 0) throw Error(Code::kBadArgument, "maxTokens must be at least 1");
  if (!(decoding.temperature >= 0 && decoding.temperature <= 100))
    throw Error(Code::kBadArgument, "temperature must lie between 0 (the likeliest token) and 100");
  if (!(decoding.top_p > 0 && decoding.top_p <= 1))
    throw Error(Code::kBadArgument, "topP must lie above 0 and be at most 1");
  for (const std::string& stop : decoding.stop) {
    if (stop.empty()) throw Error(Code::kBadArgument, "a stop string is empty; leave it out");
  }
}

TokenChoice::TokenChoice(const llama_vocab* vocab, const Decoding& decoding)
    : vocab_size_(static_cast<size_t>(llama_vocab_n_tokens(vocab))),
      temperature_(decoding.temperature),
      top_p_(decoding.top_p),
      seed_(decoding.seed) {
  check_decoding(decoding);
  if (decoding.grammar.empty()) return;
  grammar_.reset(llama_sampler_init_grammar(vocab, decoding.grammar.c_str(), "root"));
  if (!grammar_) {
    // llama.cpp writes the reason to stderr and hands out none.
    throw Error(Code::kBadArgument,
                "the grammar cannot be read; give GBNF with a rule named root, in which every rule that is "
                "used is defined and none begins with itself");
  }
}

llama_token TokenChoice::next(const float* logits) {
  llama_token token = temperature_ == 0 ? likeliest(logits) : -1;
  if (grammar_ && (token < 0 || !allows(token, logits[token]))) {
    const float* allowed = mask_logits(logits);
    token = temperature_ == 0 ? likeliest(allowed) : drawn(allowed);
    if (allowed[token] == kMasked) {
      throw Error(Code::kBadArgument, "the grammar allows no token of this model after what was generated");
    }
  } else if (token < 0) {
    token = drawn(logits);
  }
  ++step_;
  if (grammar_) llama_sampler_accept(grammar_.get(), token);
  return token;
}

llama_token TokenChoice::likeliest(const float* logits) const {
  return static_cast<llama_token>(std::max_element(logits, logits + vocab_size_) - logits);
}

llama_token TokenChoice::drawn(const float* logits) const {
  const double max = logits[likeliest(logits)];
  if (max == static_cast<double>(kMasked)) return 0;
  std::vector<Weighted> tokens;
  tokens.reserve(vocab_size_);
  double total = 0;
  for (size_t id = 0; id < vocab_size_; ++id) {
    const double weight = std::exp((static_cast<double>(logits[id]) - max) / temperature_);
    if (weight == 0) continue;
    tokens.push_back({weight, static_cast<llama_token>(id)});
    total += weight;
  }
  if (top_p_ < 1) {
    tokens = nucleus(std::move(tokens), top_p_ * total);
    total = 0;
    for (const Weighted& token : tokens) total += token.weight;
  }
  double left = uniform(seed_, step_) * total;
  for (const Weighted& token : tokens) {
    left -= token.weight;
    if (left < 0) return token.token;
  }
  return tokens.back().token;
}

bool TokenChoice::allows(llama_token token, float logit) const {
  llama_token_data only = {token, logit, 0};
  llama_token_data_array candidates = {&only, 1, -1, false};
  llama_sampler_apply(grammar_.get(), &candidates);
  return candidates.size == 1 && only.logit != kMasked;
}

const float* TokenChoice::mask_logits(const float* logits) {
  std::vector<llama_token_data> tokens(vocab_size_);
  for (size_t id = 0; id < vocab_size_; ++id) tokens[id] = {static_cast<llama_token>(id), logits[id], 0};
  llama_token_data_array candidates = {tokens.data(), tokens.size(), -1, false};
  llama_sampler_apply(grammar_.get(), &candidates);
  masked_.assign(vocab_size_, kMasked);
  for (size_t i = 0; i < candidates.size; ++i) {
    masked_[static_cast<size_t>(candidates.data[i].id)] = candidates.data[i].logit;
  }
  return masked_.data();
}

}  // namespace logit_audit
