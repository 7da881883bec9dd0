// Each kind of request, on a real small model.
#include <cmath>

#include "test/engine_fixture.h"

namespace logit_audit::test {

namespace {

double sum_of(const Observations& o, uint32_t request, uint32_t side) {
  double sum = 0;
  for (size_t i = 0; i < o.targets.request.size(); ++i) {
    if (o.targets.request[i] == request && o.targets.side[i] == side) sum += o.targets.log_prob[i];
  }
  return sum;
}

}  // namespace

TEST("requests: pairs carry both rows and their divergence") {
  if (no_model()) return;
  Engine engine;
  const Observations o = engine.observe({pair("The nurse said that she", "The nurse said that he"),
                                         probe("Once upon a time"), pair("The same", "The same")});
  CHECK_EQ(o.rows.request.size(), size_t{5});
  CHECK(o.pairs.request == std::vector<uint32_t>({0, 2}));
  CHECK(o.pairs.row == std::vector<uint32_t>({0, 3}));
  CHECK(o.pairs.row_swap == std::vector<uint32_t>({1, 4}));
  CHECK(o.pairs.jsd[0] > 1e-4);
  CHECK_NEAR(o.pairs.jsd[1], 0.0, 1e-12);
  CHECK_EQ(o.pairs.partial.size(), size_t{4});
  for (size_t k = 0; k < 2; ++k) {
    CHECK(o.pairs.partial[k] <= o.pairs.jsd[0]);
    CHECK(o.pairs.lower[k] <= o.pairs.jsd[0] && o.pairs.jsd[0] <= o.pairs.upper[k]);
  }
}

TEST("requests: a pair whose sides fall into different calls") {
  if (no_model()) return;
  const std::vector<Request> requests = {
      pair("The nurse said that she", "A dog and a cat said that he was"),
      pair("Once upon a time there was she", "In the big house there was he")};
  Engine whole;
  ContextOptions tiny;
  tiny.batch = 4;
  Engine pieces(tiny);
  const Observations a = whole.observe(requests);
  const Observations b = pieces.observe(requests);
  for (size_t i = 0; i < 2; ++i) {
    CHECK(a.pairs.kl_pq[i] != a.pairs.kl_qp[i]);
    CHECK_NEAR(a.pairs.jsd[i], b.pairs.jsd[i], kBatchShape);
    CHECK_NEAR(a.pairs.kl_pq[i], b.pairs.kl_pq[i], 1e-5);
    CHECK_NEAR(a.pairs.kl_qp[i], b.pairs.kl_qp[i], 1e-5);
  }
}

TEST("requests: aligned pairs compare every step after the difference") {
  if (no_model()) return;
  Engine engine;
  const Observations o =
      engine.observe({pair("The nurse said that she was a good girl",
                           "The nurse said that he was a good girl", PairSteps::kAligned)});
  CHECK(o.failures.empty());
  CHECK(o.pairs.jsd.size() > 3);
  CHECK_EQ(o.rows.request.size(), 2 * o.pairs.jsd.size());
  for (size_t i = 0; i < o.pairs.jsd.size(); ++i) {
    CHECK_EQ(o.rows.position[o.pairs.row[i]], 8U + static_cast<uint32_t>(i));
    CHECK_EQ(o.rows.side[o.pairs.row[i]], 0U);
    CHECK_EQ(o.rows.side[o.pairs.row_swap[i]], 1U);
  }
  // The first step is the one that a probe right after the gender word takes.
  const Observations single = engine.observe({pair("The nurse said that she", "The nurse said that he")});
  CHECK_NEAR(o.pairs.jsd[0], single.pairs.jsd[0], kBatchShape);
  const Observations none = engine.observe({pair("The same", "The same", PairSteps::kAligned)});
  CHECK(none.failures.at(0).code == Code::kEmptyInput);
}

TEST("requests: scores are the log-probabilities of the tokens of a continuation") {
  if (no_model()) return;
  Engine engine;
  const Observations o = engine.observe({score("Once upon a time", {",", " there was a dog", " there"})});
  CHECK_NEAR(sum_of(o, 0, 0), std::log(0.968794), 1e-4);
  CHECK_NEAR(sum_of(o, 0, 2), std::log(0.028729), 1e-4);
  CHECK(sum_of(o, 0, 1) < sum_of(o, 0, 2));
  CHECK_EQ(o.targets.rank[0], 1U);
  CHECK_EQ(o.targets.position[0], 4U);
  CHECK_EQ(o.targets.token[0], 432);
  CHECK(o.rows.request.empty());
  CHECK_EQ(o.sequences.side.size(), size_t{3});
  // The chain rule: the score of a whole is that of its parts.
  const Observations whole =
      engine.observe({score("", {"The nurse said that she was happy"}),
                      score("The nurse said that", {" she was happy"}), score("", {"The nurse said that"})});
  CHECK_NEAR(sum_of(whole, 0, 0), sum_of(whole, 1, 0) + sum_of(whole, 2, 0), 1e-5);
  const Observations nothing = engine.observe({score("The nurse", {""})});
  CHECK(nothing.failures.at(0).code == Code::kEmptyInput);
}

TEST("requests: BOS is put in front of a first token that is scored only where none stands there") {
  if (no_model()) return;
  Engine engine;
  Request first = score("", {"The nurse said"});
  first.score_first = true;
  const Observations both = engine.observe({first, score("", {"The nurse said"})});
  CHECK(both.failures.empty());
  CHECK_EQ(sum_of(both, 0, 0), sum_of(both, 1, 0));
  CHECK_EQ(both.sequences.offsets[1], both.sequences.offsets[2] - both.sequences.offsets[1]);
}

TEST("requests: more continuations than a batch has slots") {
  if (no_model()) return;
  Engine engine;
  std::vector<std::string> continuations;
  for (int i = 0; i < 150; ++i) continuations.push_back(" dog " + std::to_string(i));
  const Observations many = engine.observe({score("The nurse saw a", continuations)});
  CHECK(many.failures.empty());
  CHECK_EQ(many.sequences.side.size(), continuations.size());
  for (const size_t i : {size_t{0}, size_t{70}, size_t{149}}) {
    const Observations one = engine.observe({score("The nurse saw a", {continuations[i]})});
    CHECK_NEAR(sum_of(many, 0, static_cast<uint32_t>(i)), sum_of(one, 0, 0), 1e-5);
  }
}

TEST("requests: all positions, named positions, and what stands behind them") {
  if (no_model()) return;
  Engine engine;
  Request all = probe("The nurse said that she was");
  all.positions = Positions::kAll;
  Request some = all;
  some.positions = Positions::kList;
  some.position_list = {7, 2, 2};
  Request outside = all;
  outside.positions = Positions::kList;
  outside.position_list = {90};
  const Observations o = engine.observe({all, some, outside});
  const size_t tokens = o.sequences.offsets[1];
  CHECK_EQ(o.rows.request.size(), tokens + 2);
  CHECK_EQ(o.rows.position[tokens], 2U);
  CHECK_EQ(o.rows.position[tokens + 1], 7U);
  CHECK_NEAR(o.rows.masses[2 * (tokens + 1)], o.rows.masses[2 * 7], kBatchShape);
  CHECK_NEAR(o.rows.masses[2 * 7], 0.133278, kFloat32);
  // The tokens behind the last wanted step are counted, not decoded.
  CHECK_EQ(o.sequences.offsets[2] - o.sequences.offsets[1], static_cast<uint32_t>(tokens));
  CHECK(o.failures.at(0).code == Code::kOutOfRange);
}

}  // namespace logit_audit::test
