#include "metrics/finish.h"

#include <algorithm>
#include <cmath>

namespace logit_audit::metrics {

namespace {

const double kLn2 = std::log(2.0);

// The shares of an error of the logsumexps' difference that a divergence bears, as the cpu kernels have them.
constexpr double kSweepAgain = 1e-8;
constexpr double kLeaveBe = 5e-7;

// One token's part of every divergence, or the sum of several's.
struct Terms {
  double jsd = 0;
  double kl_pq = 0;
  double kl_qp = 0;
  double distance = 0;
  double excess = 0;
  double p = 0;
  double q = 0;
};

Terms operator+(Terms a, const Terms& b) {
  a.jsd += b.jsd;
  a.kl_pq += b.kl_pq;
  a.kl_qp += b.kl_qp;
  a.distance += b.distance;
  a.excess += b.excess;
  a.p += b.p;
  a.q += b.q;
  return a;
}

// (p ln(p/m) + q ln(q/m)) / 2 with m = (p + q) / 2. Near each other the two parts cancel: there
// m/2 (ln(1 - s^2) + 2 s atanh s) with s = |p - q| / (p + q) keeps all digits but one.
double jsd_term(double p, double q) {
  const double total = p + q;
  if (total == 0) return 0;
  const double s = std::fabs(p - q) / total;
  if (s < 0.5) return 0.25 * total * (std::log1p(-s * s) + 2 * s * std::atanh(s));
  const double more = std::max(p, q);
  const double less = std::min(p, q);
  const double less_part = less == 0 ? 0 : less * std::log(2 * less / total);
  return 0.5 * (more * std::log(2 * more / total) + less_part);
}

// exp(x) - 1 - x for |x| <= 1/8, by its series.
double exp_beyond_linear(double x) {
  double tail = 1;
  for (int n = 13; n >= 3; --n) tail = 1 + x / n * tail;
  return 0.5 * x * x * tail;
}

// p ln(p/q) - p + q, which adds up to KL(p||q) over all tokens and is never below 0.
double kl_term(double p, double q, double log_ratio, bool masked) {
  if (masked) return q;
  if (log_ratio == -INFINITY) return INFINITY;
  if (std::fabs(log_ratio) < 0.125) return p * exp_beyond_linear(log_ratio);
  return (q - p) - p * log_ratio;
}

Terms token_terms(float x, const PairSide& side_a, float y, const PairSide& side_b) {
  const double a = static_cast<double>(x) - static_cast<double>(side_a.reference);
  const double b = static_cast<double>(y) - static_cast<double>(side_b.reference);
  const double p = std::exp(a - side_a.log_sum);
  const double q = std::exp(b - side_b.log_sum);
  // ln(q/p). Masked on both sides it means nothing, and its p and q are 0.
  const double log_ratio = (b - a) - (side_b.log_sum - side_a.log_sum);
  Terms terms;
  terms.jsd = jsd_term(p, q);
  terms.kl_pq = kl_term(p, q, log_ratio, std::isinf(x));
  terms.kl_qp = kl_term(q, p, -log_ratio, std::isinf(y));
  terms.distance = std::fabs(p - q);
  terms.excess = p - q;
  terms.p = p;
  terms.q = q;
  return terms;
}

Terms rest_of(const PairSums& sums, size_t pair) {
  Terms rest;
  rest.jsd = 0.5 * static_cast<double>(sums.jsd[pair]);
  rest.kl_pq = static_cast<double>(sums.kl_pq[pair]);
  rest.kl_qp = static_cast<double>(sums.kl_qp[pair]);
  rest.distance = static_cast<double>(sums.down[pair]) + static_cast<double>(sums.up[pair]);
  rest.excess = static_cast<double>(sums.down[pair]) - static_cast<double>(sums.up[pair]);
  rest.p = static_cast<double>(sums.p[pair]);
  rest.q = static_cast<double>(sums.q[pair]);
  return rest;
}

Terms member_terms(const PairBatch& batch, const PairSums& sums, size_t pair, size_t member,
                   const PairSide& a, const PairSide& b) {
  const size_t at = pair * batch.members + member;
  return token_terms(sums.member_logits_a[at], a, sums.member_logits_b[at], b);
}

// The masses of the rest as sides that are right would have them.
Terms settle(Terms rest, double excess) {
  double p = rest.p * (1 - 0.5 * excess);
  double q = rest.q * (1 + 0.5 * excess);
  const double between = rest.excess - 0.5 * excess * (p + q);
  // Near each other, p and q are less exact than what lies between them.
  if (std::fabs(between) < 0.25 * (p + q)) {
    const double both = p + q;
    p = 0.5 * (both + between);
    q = 0.5 * (both - between);
  }
  rest.p = p;
  rest.q = q;
  return rest;
}

}  // namespace

bool is_sound(const RowSums& sums, size_t row) {
  const float check = sums.check[row];
  return !std::isnan(check) && check != INFINITY && std::fabs(sums.max[row]) <= kLargestLogit;
}

RowState state_of(const RowSums& sums, size_t row, size_t vocab) {
  RowState state;
  state.max = static_cast<double>(sums.max[row]);
  const double ties = static_cast<double>(vocab) - static_cast<double>(sums.below[row]);
  const double rest = static_cast<double>(sums.rest[row]);
  state.sum = ties + rest;
  // One token that is all but certain keeps the digits of the others.
  state.log_sum = ties == 1 ? std::log1p(rest) : std::log(state.sum);
  return state;
}

PairSide side_of(const RowState& state) {
  PairSide side;
  side.reference = static_cast<float>(std::nearbyint(4 * state.max) / 4);
  side.log_sum = state.log_sum + (state.max - static_cast<double>(side.reference));
  return side;
}

void finish_row(const RowSums& sums, size_t row, const RowState& state, const Request& request, size_t top,
                size_t wanted, RowRecord out) {
  *out.logsumexp = state.max + state.log_sum;
  // Both parts are 0 or more: nothing cancels.
  *out.entropy = state.log_sum - static_cast<double>(sums.weighted[row]) / state.sum;
  for (size_t g = 0; g < request.groups(); ++g) {
    out.masses[g] = static_cast<double>(sums.masses[row * request.groups() + g]) / state.sum;
  }
  for (size_t k = 0; k < wanted; ++k) {
    out.top_k_ids[k] = sums.top_ids[row * top + k];
    const double logit = static_cast<double>(sums.top_logits[row * top + k]);
    out.top_k_probs[k] = std::exp(logit - state.max) / state.sum;
  }
}

void finish_target(const RowSums& sums, size_t at, const RowState& state, TargetRecord out) {
  *out.log_prob = (static_cast<double>(sums.target_logits[at]) - state.max) - state.log_sum;
  *out.rank = 1 + static_cast<uint32_t>(sums.larger[at]);
}

std::vector<Member> unite(const int32_t* a, const int32_t* b, size_t top) {
  std::vector<Member> members;
  for (size_t place = 0; place < top; ++place) {
    members.push_back({a[place], place});
    members.push_back({b[place], place});
  }
  std::sort(members.begin(), members.end(),
            [](const Member& x, const Member& y) { return x.id != y.id ? x.id < y.id : x.place < y.place; });
  members.erase(std::unique(members.begin(), members.end(),
                            [](const Member& x, const Member& y) { return x.id == y.id; }),
                members.end());
  std::stable_sort(members.begin(), members.end(),
                   [](const Member& x, const Member& y) { return x.place < y.place; });
  return members;
}

PairCheck check_pair(const PairBatch& batch, const PairSums& sums, size_t pair, size_t members) {
  Terms total = rest_of(sums, pair);
  for (size_t m = 0; m < members; ++m) {
    total = total + member_terms(batch, sums, pair, m, batch.a[pair], batch.b[pair]);
  }
  // A difference of logsumexps that is off by e moves a divergence by e^2 / 8 and little more, the total
  // variation by up to e / 2.
  const double moved = total.excess * total.excess / 8;
  const bool again = moved > kSweepAgain * total.jsd || std::fabs(total.excess) > kLeaveBe * total.distance;
  return {total.excess, again && total.excess != 0};
}

void correct(PairSide& a, PairSide& b, double excess) {
  a.log_sum += 0.5 * excess;
  b.log_sum -= 0.5 * excess;
}

void finish_pair(const PairBatch& batch, const PairSums& sums, size_t pair,
                 const std::vector<Member>& members, const std::vector<size_t>& ks, PairRecord out) {
  PairSide a = batch.a[pair];
  PairSide b = batch.b[pair];
  const double excess = check_pair(batch, sums, pair, members.size()).excess;
  const Terms rest = rest_of(sums, pair);
  Terms total = rest;
  for (size_t m = 0; m < members.size(); ++m) total = total + member_terms(batch, sums, pair, m, a, b);
  // Over all tokens what an error of the logsumexps moves cancels but for its square; over some it does not.
  correct(a, b, excess);
  std::vector<Terms> terms;
  terms.reserve(members.size());
  for (size_t m = 0; m < members.size(); ++m) terms.push_back(member_terms(batch, sums, pair, m, a, b));
  const Terms outside_all = settle(rest, excess);
  if (members.size() == batch.vocab) {
    total = Terms{};
    for (const Terms& term : terms) total = total + term;
  }
  const double jsd = std::min(total.jsd, kLn2);
  *out.jsd = jsd;
  *out.kl_pq = total.kl_pq;
  *out.kl_qp = total.kl_qp;
  *out.total_variation = std::min(0.5 * total.distance, 1.0);
  for (size_t i = 0; i < ks.size(); ++i) {
    Terms inside;
    Terms outside = outside_all;
    uint32_t united = 0;
    for (size_t m = 0; m < members.size(); ++m) {
      const bool within = members[m].place < ks[i];
      united += within ? 1 : 0;
      Terms& where = within ? inside : outside;
      where = where + terms[m];
    }
    const double lower = inside.jsd + jsd_term(outside.p, outside.q);
    const double upper = inside.jsd + 0.5 * (outside.p + outside.q) * kLn2;
    out.union_size[i] = united;
    out.partial[i] = std::min(inside.jsd, jsd);
    out.lower[i] = std::min(lower, jsd);
    out.upper[i] = std::max(std::min(upper, kLn2), jsd);
  }
}

}  // namespace logit_audit::metrics
