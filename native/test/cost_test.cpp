// What a window would cost is what it then costs.
#include "engine/cost.h"

#include "test/engine_fixture.h"

namespace logit_audit::test {

TEST("cost: what observe then decodes, in every mode and batch") {
  if (no_model()) return;
  std::vector<Request> requests;
  for (int i = 0; i < 40; ++i) {
    const std::string text = "The nurse said that she was number " + std::to_string(i);
    requests.push_back(probe(text));
    requests.push_back(pair(text + " and he", text + " and she", PairSteps::kLast));
    requests.push_back(score(text, {" there", " dog", " a little girl"}));
  }
  std::string too_long;
  for (int i = 0; i < 400; ++i) too_long += "once upon a time ";
  requests.push_back(probe(too_long));
  for (const Mode mode : {Mode::kFast, Mode::kExact}) {
    for (const uint32_t batch : {32U, 128U}) {
      ContextOptions options;
      options.mode = mode;
      options.batch = batch;
      Engine engine(options);
      const Cost cost = cost_of(engine.model, engine.context, requests);
      const Observations o = engine.observe(requests);
      CHECK_EQ(cost.decoded_tokens, o.decoded_tokens);
      CHECK_EQ(cost.naive_tokens, o.naive_tokens);
      CHECK_EQ(cost.failures, 1U);
      // What decodes every text alone shares nothing.
      CHECK_EQ(cost.decoded_tokens < cost.naive_tokens, mode == Mode::kFast);
    }
  }
  Engine engine;
  const Cost nothing = cost_of(engine.model, engine.context, {});
  CHECK_EQ(nothing.decoded_tokens + nothing.naive_tokens + nothing.failures, uint64_t{0});
}

}  // namespace logit_audit::test
