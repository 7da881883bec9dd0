// The benchmarks' stand-ins: the same rows reach them, and nothing they give can be taken for a number.
#include "metrics/baseline.h"

#include <cmath>

#include "test/engine_fixture.h"

namespace logit_audit::test {

namespace {

bool all_nan(const std::vector<double>& values) {
  return !values.empty() &&
         std::all_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

std::vector<Request> one_of_each() {
  Request whole = probe("The nurse said that");
  whole.positions = Positions::kAll;
  return {whole, pair("The nurse said that she", "The nurse said that he"),
          score("Once upon", {" a time", " there"})};
}

}  // namespace

TEST("baseline: discarding decodes the same and gives NaN everywhere") {
  if (no_model()) return;
  Engine engine;
  const Observations measured = engine.observe(one_of_each());
  engine.reducer = metrics::make_reducer("discard");
  const Observations discarded = engine.observe(one_of_each());
  CHECK_EQ(discarded.decoded_tokens, measured.decoded_tokens);
  CHECK(discarded.rows.position == measured.rows.position);
  CHECK(discarded.failures.empty());
  for (const auto& column :
       {discarded.rows.logsumexp, discarded.rows.entropy, discarded.rows.masses, discarded.rows.top_k_probs,
        discarded.pairs.jsd, discarded.pairs.kl_pq, discarded.pairs.kl_qp, discarded.pairs.total_variation,
        discarded.pairs.partial, discarded.pairs.lower, discarded.pairs.upper, discarded.targets.log_prob}) {
    CHECK(all_nan(column));
  }
}

TEST("baseline: copied rows are the logits, in order of decoding, and are taken once") {
  if (no_model()) return;
  Engine engine;
  const Observations measured = engine.observe({one_of_each().front()});
  auto copy = std::make_unique<metrics::CopyReducer>();
  metrics::CopyReducer& rows = *copy;
  engine.reducer = std::move(copy);
  for (int round = 0; round < 2; ++round) {
    engine.observe({one_of_each().front()});
    const std::vector<float> logits = rows.take();
    const size_t vocab = logits.size() / measured.rows.position.size();
    CHECK_EQ(vocab, size_t{512});
    for (size_t row = 0; row < measured.rows.position.size(); ++row) {
      double sum = 0;
      for (size_t i = 0; i < vocab; ++i) sum += std::exp(static_cast<double>(logits[row * vocab + i]));
      CHECK_NEAR(std::log(sum), measured.rows.logsumexp[row], 1e-5);
    }
  }
  CHECK(rows.take().empty());
}

TEST("baseline: reducers have names, and no others") {
  for (const char* name : {"cpu", "discard", "copy"}) CHECK_EQ(metrics::make_reducer(name)->name(), name);
  CHECK_FAULT(metrics::make_reducer("gpu"), Code::kBadArgument);
}

}  // namespace logit_audit::test
