// The engine whole, on a real small model: known values, and rows that do not depend on their company.
#include "test/engine_fixture.h"

namespace logit_audit::test {

TEST("engine: known probabilities, float32 cache and llama.cpp's defaults") {
  if (no_model()) return;
  Engine exact;
  const Observations o = exact.observe(probes({"The nurse said that"}));
  CHECK_NEAR(o.rows.masses[0], 0.133278, kFloat32);
  CHECK_NEAR(o.rows.masses[1], 0.144517, kFloat32);
  CHECK_EQ(o.rows.top_k_ids[0], kShe);
  CHECK_EQ(o.rows.position[0], 7U);
  CHECK_EQ(o.sequences.ids[0], 1);
  ContextOptions defaults;
  defaults.kv_type = KvType::kF16;
  defaults.flash_attention = true;
  Engine fast(defaults);
  const Observations f = fast.observe(probes({"The nurse said that"}));
  CHECK_NEAR(f.rows.masses[0], 0.133278, 1e-3);
  CHECK_NEAR(f.rows.masses[1], 0.144517, 1e-3);
}

TEST("engine: a row is the same alone and in company, in any order") {
  if (no_model()) return;
  std::vector<std::string> texts;
  for (int i = 0; i < 150; ++i) {
    texts.push_back("Once upon a time there was a " + std::string(static_cast<size_t>(i % 7), 'b') +
                    "ig dog and the dog said " + std::to_string(i));
  }
  Engine engine;
  const Observations together = engine.observe(probes(texts));
  CHECK_EQ(together.rows.request.size(), texts.size());
  CHECK(together.decoded_tokens * 2 < together.naive_tokens);
  std::vector<std::string> reversed(texts.rbegin(), texts.rend());
  const Observations backwards = engine.observe(probes(reversed));
  ContextOptions small;
  small.batch = 16;
  Engine little(small);
  const Observations pieces = little.observe(probes(texts));
  for (size_t i = 0; i < texts.size(); ++i) {
    CHECK_NEAR(backwards.rows.masses[2 * (texts.size() - 1 - i)], together.rows.masses[2 * i], kBatchShape);
    CHECK_NEAR(pieces.rows.masses[2 * i], together.rows.masses[2 * i], kBatchShape);
    if (i % 10 != 0) continue;
    const Observations alone = little.observe(probes({texts[i]}));
    CHECK_NEAR(alone.rows.masses[0], together.rows.masses[2 * i], kBatchShape);
    CHECK_NEAR(alone.rows.entropy[0], together.rows.entropy[i], 1e-5);
  }
}

TEST("engine: in exact mode a row has the same bits in any company") {
  if (no_model()) return;
  ContextOptions options;
  options.mode = Mode::kExact;
  Engine engine(options);
  const std::vector<Request> requests = {pair("The nurse said that she", "The nurse said that he"),
                                         probe("The nurse said that"),
                                         score("Once upon a time", {" there was", " a dog", ","}),
                                         probe("Once upon a time there was a little girl")};
  const Observations together = engine.observe(requests);
  const Observations backwards = engine.observe({requests[3], requests[2], requests[1], requests[0]});
  CHECK_EQ(together.rows.entropy[0], backwards.rows.entropy[2]);
  CHECK_EQ(together.rows.entropy[1], backwards.rows.entropy[3]);
  CHECK_EQ(together.rows.entropy[2], backwards.rows.entropy[1]);
  CHECK_EQ(together.rows.entropy[3], backwards.rows.entropy[0]);
  CHECK_EQ(together.pairs.jsd[0], backwards.pairs.jsd[0]);
  CHECK(together.targets.log_prob == backwards.targets.log_prob);
  CHECK(together.targets.log_prob == engine.observe({requests[2]}).targets.log_prob);
  // Nor does it hang on how texts would be cut into calls, or on the other texts of its own request.
  options.batch = 7;
  Engine other(options);
  CHECK(together.rows.entropy == other.observe(requests).rows.entropy);
  const std::vector<double>& all = together.targets.log_prob;
  const Observations first = engine.observe({score("Once upon a time", {" there was"})});
  CHECK(first.targets.log_prob ==
        std::vector<double>(all.begin(), all.begin() + static_cast<int>(first.targets.log_prob.size())));
}

TEST("engine: a text that does not fit is a failure of its request alone") {
  if (no_model()) return;
  ContextOptions options;
  options.context_length = 16;
  Engine engine(options);
  std::string too_long;
  for (int i = 0; i < 40; ++i) too_long += "once upon a time ";
  const Observations o =
      engine.observe({probe("The nurse said"), pair(too_long, "The nurse"), probe("Once upon")});
  CHECK(o.rows.request == std::vector<uint32_t>({0, 2}));
  CHECK(o.pairs.request.empty());
  CHECK_EQ(o.failures.size(), size_t{1});
  CHECK_EQ(o.failures[0].request, 1U);
  CHECK(o.failures[0].code == Code::kContextOverflow);
}

TEST("engine: texts as long as the context, both sides of a pair") {
  if (no_model()) return;
  ContextOptions options;
  options.context_length = 512;
  options.batch = 32;
  Engine engine(options);
  std::string text;
  while (true) {
    const std::string longer = text + " and then she saw the dog";
    if (engine.observe(probes({longer})).failures.size() == 1) break;
    text = longer;
  }
  const Observations o = engine.observe({pair(text, text), pair(text, "!" + text.substr(1))});
  CHECK(o.failures.empty());
  CHECK(o.rows.position[0] > 400);
  CHECK_NEAR(o.pairs.jsd[0], 0.0, 1e-9);
  CHECK(o.pairs.jsd[1] > 0);
}

TEST("engine: cancelled before and options refused") {
  if (no_model()) return;
  Engine engine;
  const std::atomic<bool> stop{true};
  CHECK_FAULT(engine.observe(probes({"The nurse"}), stop), Code::kCancelled);
  CHECK_EQ(engine.observe(probes({"The nurse"})).rows.request.size(), size_t{1});
  ContextOptions longer_than_trained;
  longer_than_trained.context_length = 513;
  CHECK_FAULT(Engine(longer_than_trained), Code::kBadArgument);
  engine.measure.group_ids = {kHe, 512};
  CHECK_FAULT(engine.observe(probes({"The nurse"})), Code::kOutOfRange);
  engine.measure = he_and_she();
  Request none = probe("x");
  none.texts.clear();
  CHECK(engine.observe({none}).failures.at(0).code == Code::kBadArgument);
}

}  // namespace logit_audit::test
