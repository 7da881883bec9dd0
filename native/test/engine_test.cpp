#include <atomic>
#include <filesystem>
#include <string>

#include "engine/context.h"
#include "engine/error.h"
#include "engine/model.h"
#include "engine/observe.h"
#include "test/check.h"
#include "test/files.h"

namespace logit_audit::test {

namespace {

// " he", " she", " her", " his" in stories260K.
constexpr int32_t kHe = 281;
constexpr int32_t kShe = 358;

// Float32 in the model's passes, against the float64 reference.
constexpr double kFloat32 = 2e-4;
// What batches of other shapes may change without flash attention and with a float32 cache.
constexpr double kBatchShape = 1e-6;

const std::atomic<bool> kGoOn{false};

struct Engine {
  explicit Engine(ContextOptions options = {}) : model(stories_model(), 0), context(model, options) {}
  Observations observe(const ObserveInput& input, const std::atomic<bool>& cancel = kGoOn) {
    return logit_audit::observe(model, context, *reducer, input, cancel);
  }
  Model model;
  Context context;
  std::unique_ptr<metrics::Reducer> reducer = metrics::make_cpu_reducer();
};

metrics::Request he_and_she() {
  metrics::Request request;
  request.group_ids = {kHe, kShe};
  request.group_offsets = {0, 1, 2};
  request.top_k = 3;
  request.pair_top_k = {5, 20};
  return request;
}

ObserveInput probes(const std::vector<std::string>& texts) {
  ObserveInput input;
  for (const std::string& text : texts) {
    input.request.push_back(static_cast<uint32_t>(input.texts.size()));
    input.side.push_back(0);
    input.texts.push_back(text);
  }
  input.measure = he_and_she();
  return input;
}

bool no_model() {
  if (std::filesystem::exists(stories_model())) return false;
  skip("no shared model beside the checkout");
  return true;
}

}  // namespace

TEST("engine: known probabilities, float32 cache and llama.cpp's defaults") {
  if (no_model()) return;
  Engine exact;
  const Observations o = exact.observe(probes({"The nurse said that"}));
  CHECK_NEAR(o.masses[0], 0.133278, kFloat32);
  CHECK_NEAR(o.masses[1], 0.144517, kFloat32);
  CHECK_EQ(o.top_k_ids[0], kShe);
  CHECK_EQ(o.row_position[0], 8U);
  CHECK_EQ(o.token_ids[0], 1);
  ContextOptions defaults;
  defaults.kv_type = KvType::kF16;
  defaults.flash_attention = true;
  Engine fast(defaults);
  const Observations f = fast.observe(probes({"The nurse said that"}));
  CHECK_NEAR(f.masses[0], 0.133278, 1e-3);
  CHECK_NEAR(f.masses[1], 0.144517, 1e-3);
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
  CHECK_EQ(together.row_request.size(), texts.size());
  std::vector<std::string> reversed(texts.rbegin(), texts.rend());
  const Observations backwards = engine.observe(probes(reversed));
  ContextOptions small;
  small.batch = 16;
  Engine little(small);
  for (size_t i = 0; i < texts.size(); ++i) {
    CHECK_NEAR(backwards.masses[2 * (texts.size() - 1 - i)], together.masses[2 * i], kBatchShape);
    if (i % 10 != 0) continue;
    const Observations alone = little.observe(probes({texts[i]}));
    CHECK_NEAR(alone.masses[0], together.masses[2 * i], kBatchShape);
    CHECK_NEAR(alone.entropy[0], together.entropy[i], 1e-5);
  }
}

TEST("engine: pairs carry both rows and their divergence") {
  if (no_model()) return;
  Engine engine;
  ObserveInput input;
  input.texts = {"The nurse said that she", "The nurse said that he", "Once upon a time", "The same",
                 "The same"};
  input.request = {0, 0, 1, 2, 2};
  input.side = {0, 1, 0, 0, 1};
  input.measure = he_and_she();
  const Observations o = engine.observe(input);
  CHECK_EQ(o.row_request.size(), size_t{5});
  CHECK(o.pair_request == std::vector<uint32_t>({0, 2}));
  CHECK(o.jsd[0] > 1e-4);
  CHECK_NEAR(o.jsd[1], 0.0, 1e-12);
  CHECK_EQ(o.partial.size(), size_t{4});
  for (size_t k = 0; k < 2; ++k) {
    CHECK(o.partial[k] <= o.jsd[0]);
    CHECK(o.lower[k] <= o.jsd[0] && o.jsd[0] <= o.upper[k]);
  }
}

TEST("engine: a text that does not fit is a failure of its request alone") {
  if (no_model()) return;
  ContextOptions options;
  options.context_length = 16;
  Engine engine(options);
  std::string too_long;
  for (int i = 0; i < 40; ++i) too_long += "once upon a time ";
  ObserveInput input;
  input.texts = {"The nurse said", too_long, "The nurse", "Once upon"};
  input.request = {0, 1, 1, 2};
  input.side = {0, 0, 1, 0};
  input.measure = he_and_she();
  const Observations o = engine.observe(input);
  CHECK(o.row_request == std::vector<uint32_t>({0, 2}));
  CHECK(o.pair_request.empty());
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
  ObserveInput input;
  input.texts = {text, text};
  input.request = {0, 0};
  input.side = {0, 1};
  input.measure = he_and_she();
  const Observations o = engine.observe(input);
  CHECK(o.failures.empty());
  CHECK(o.row_position[0] > 400);
  CHECK_NEAR(o.jsd[0], 0.0, 1e-9);
}

TEST("engine: cancelled before and options refused") {
  if (no_model()) return;
  Engine engine;
  const std::atomic<bool> stop{true};
  CHECK_FAULT(engine.observe(probes({"The nurse"}), stop), Code::kCancelled);
  CHECK_EQ(engine.observe(probes({"The nurse"})).row_request.size(), size_t{1});
  ContextOptions longer_than_trained;
  longer_than_trained.context_length = 513;
  CHECK_FAULT(Engine(longer_than_trained), Code::kBadArgument);
  ContextOptions no_batch;
  no_batch.batch = 0;
  CHECK_FAULT(Engine(no_batch), Code::kBadArgument);
  ObserveInput uneven = probes({"The nurse"});
  uneven.side.clear();
  CHECK_FAULT(engine.observe(uneven), Code::kLengthMismatch);
  ObserveInput outside = probes({"The nurse"});
  outside.measure.group_ids = {kHe, 512};
  CHECK_FAULT(engine.observe(outside), Code::kOutOfRange);
}

}  // namespace logit_audit::test
