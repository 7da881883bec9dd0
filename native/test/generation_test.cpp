// Generations and embeddings, on a real small model.
#include <cmath>

#include "engine/generated_text.h"
#include "engine/token_choice.h"
#include "engine/tokenizer.h"
#include "test/engine_fixture.h"

namespace logit_audit::test {

namespace {

Request drawn(const std::string& prompt, double temperature, double top_p, uint64_t seed) {
  Request request = generate(prompt, 12);
  request.decoding.temperature = temperature;
  request.decoding.top_p = top_p;
  request.decoding.seed = seed;
  return request;
}

Request embed(const std::string& text) {
  Request request;
  request.kind = RequestKind::kEmbed;
  request.texts = {text};
  return request;
}

std::vector<int32_t> ids_of(const Observations& o, size_t generation) {
  const auto begin = o.generations.ids.begin();
  return {begin + o.generations.offsets[generation], begin + o.generations.offsets[generation + 1]};
}

Finish finish_of(const Observations& o, size_t generation) {
  return static_cast<Finish>(o.generations.finish[generation]);
}

}  // namespace

TEST("generation: at temperature 0 each token is the likeliest after those before it") {
  if (no_model()) return;
  Engine engine;
  Request request = generate("Once upon a time", 20);
  request.step_metrics = true;
  const Observations o = engine.observe({request});
  CHECK_EQ(o.rows.request.size(), size_t{20});
  CHECK_EQ(o.targets.request.size(), size_t{20});
  const std::vector<int32_t> ids = ids_of(o, 0);
  double sum = 0;
  for (size_t step = 0; step < ids.size(); ++step) {
    CHECK_EQ(ids[step], o.rows.top_k_ids[3 * step]);
    CHECK_EQ(ids[step], o.targets.token[step]);
    CHECK_EQ(o.targets.rank[step], 1U);
    CHECK_NEAR(std::exp(o.targets.log_prob[step]), o.rows.top_k_probs[3 * step], kBatchShape);
    sum += o.targets.log_prob[step];
  }
  CHECK_NEAR(o.generations.log_prob[0], sum, 1e-12);
  CHECK(finish_of(o, 0) == Finish::kLength);
  // The same rows as of the whole text, read at once.
  Request whole = probe("Once upon a time" + o.generations.texts[0]);
  whole.positions = Positions::kAll;
  const Observations read = engine.observe({whole});
  const size_t first = o.rows.position[0];
  for (size_t step = 0; step < ids.size(); ++step) {
    CHECK_EQ(read.sequences.ids[first + 1 + step], ids[step]);
    CHECK_NEAR(read.rows.entropy[first + step], o.rows.entropy[step], 1e-5);
  }
}

TEST("generation: alone, in company and in exact mode") {
  if (no_model()) return;
  const std::vector<Request> requests = {
      generate("Once upon a time", 15), probe("The nurse said that"), drawn("One day a girl", 0.8, 0.9, 7),
      score("Once upon a time", {" there was"}), generate("Once upon a time there", 9)};
  Engine engine;
  const Observations together = engine.observe(requests);
  CHECK(together.generations.request == std::vector<uint32_t>({0, 2, 4}));
  CHECK_EQ(together.rows.request.size(), size_t{1});
  ContextOptions options;
  options.mode = Mode::kExact;
  options.batch = 7;
  Engine exact(options);
  const Observations apart = exact.observe(requests);
  for (size_t g = 0; g < 3; ++g) CHECK_EQ(together.generations.texts[g], apart.generations.texts[g]);
  const Observations alone = exact.observe({requests[2]});
  CHECK_EQ(alone.generations.log_prob[0], apart.generations.log_prob[1]);
}

TEST("generation: draws depend on the seed, and a narrow nucleus is the likeliest token") {
  if (no_model()) return;
  Engine engine;
  const Observations o =
      engine.observe({drawn("Once upon a time", 1, 1, 1), drawn("Once upon a time", 1, 1, 1),
                      drawn("Once upon a time", 1, 1, 2), drawn("Once upon a time", 1, 1e-9, 3),
                      generate("Once upon a time", 12)});
  CHECK_EQ(o.generations.texts[0], o.generations.texts[1]);
  CHECK(o.generations.texts[0] != o.generations.texts[2]);
  CHECK_EQ(o.generations.texts[3], o.generations.texts[4]);
}

TEST("generation: draws follow the distribution") {
  if (no_model()) return;
  Engine engine;
  const Observations row = engine.observe(probes({"The nurse said that"}));
  std::vector<Request> requests;
  constexpr size_t kDraws = 3000;
  for (size_t seed = 0; seed < kDraws; ++seed) {
    Request request = drawn("The nurse said that", 1, 1, seed);
    request.decoding.max_tokens = 1;
    requests.push_back(request);
  }
  const Observations o = engine.observe(requests);
  size_t hits = 0;
  for (size_t g = 0; g < kDraws; ++g) hits += ids_of(o, g)[0] == kShe ? 1 : 0;
  const double p = row.rows.masses[1];
  // Seeds are given: five standard deviations is a bound that a right sampler meets once and for all.
  CHECK_NEAR(static_cast<double>(hits) / kDraws, p, 5 * std::sqrt(p * (1 - p) / kDraws));
}

TEST("generation: stop strings end the text in front of them, whatever tokens they lie in") {
  if (no_model()) return;
  Engine engine;
  const Observations whole = engine.observe({generate("Once upon a time", 30)});
  const std::string& text = whole.generations.texts[0];
  CHECK(text.size() > 20);
  Request request = generate("Once upon a time", 30);
  request.decoding.stop = {"never said", text.substr(11, 5), text.substr(15, 3)};
  const Observations o = engine.observe({request});
  CHECK(finish_of(o, 0) == Finish::kStop);
  CHECK_EQ(o.generations.texts[0], text.substr(0, text.find(request.decoding.stop[1])));
}

TEST("generation: a text's pieces and stop strings") {
  GeneratedText text({"abc", "bc"});
  CHECK(!text.add("xa"));
  CHECK(!text.add("b"));
  CHECK(text.add("cab"));
  // The first place counts, not the first string of the list.
  CHECK_EQ(text.text(), "x");
  GeneratedText endless({});
  CHECK(!endless.add("any"));
}

TEST("generation: a grammar is kept to, and one that cannot be read fails its request alone") {
  if (no_model()) return;
  Engine engine;
  Request letters = generate("Once upon a time", 8);
  letters.decoding.grammar = "root ::= \" \" (\"he\" | \"she\") \" ran\"";
  Request broken = letters;
  broken.decoding.grammar = "nothing ::= [";
  const Observations o = engine.observe({letters, broken, probe("Once")});
  CHECK_EQ(o.generations.texts.size(), size_t{1});
  CHECK(o.generations.texts[0] == " he ran" || o.generations.texts[0] == " she ran");
  CHECK(finish_of(o, 0) == Finish::kEnd);
  CHECK_EQ(o.failures.size(), size_t{1});
  CHECK_EQ(o.failures[0].request, 1U);
  CHECK(o.failures[0].code == Code::kBadArgument);
  CHECK_EQ(o.rows.request.size(), size_t{1});
  letters.decoding.temperature = 1.5;
  const Observations warm = engine.observe({letters});
  CHECK(warm.generations.texts[0] == " he ran" || warm.generations.texts[0] == " she ran");
}

TEST("generation: the context's end is reported, and bad numbers fail their request") {
  if (no_model()) return;
  ContextOptions options;
  options.context_length = 16;
  Engine engine(options);
  Request none = generate("Once", 0);
  Request hot = generate("Once", 4);
  hot.decoding.temperature = -1;
  const Observations o = engine.observe({generate("Once upon a time", 100), none, hot});
  CHECK(finish_of(o, 0) == Finish::kContext);
  // 5 prompt tokens, and a last one that needs no place of its own.
  CHECK_EQ(ids_of(o, 0).size(), size_t{12});
  CHECK_EQ(o.failures.size(), size_t{2});
}

TEST("generation: pairs in decode steps put one continuation behind both texts") {
  if (no_model()) return;
  Engine engine;
  Request request = pair("The nurse said that she", "The nurse said that he", PairSteps::kDecode);
  request.decoding.max_tokens = 6;
  const Observations o = engine.observe({request, pair("One", "Two")});
  CHECK_EQ(o.pairs.request.size(), size_t{7});
  CHECK_EQ(o.rows.request.size(), size_t{14});
  const Observations greedy = engine.observe({generate("The nurse said that she", 6)});
  CHECK_EQ(o.generations.texts[0], greedy.generations.texts[0]);
  // Each side as a text of its own, its continuation read at once.
  for (uint32_t side = 0; side < 2; ++side) {
    const std::string text = request.texts[side] + o.generations.texts[0];
    Request whole = probe(text);
    whole.positions = Positions::kAll;
    const Observations read = engine.observe({whole});
    for (size_t step = 0; step < 6; ++step) {
      const uint32_t row = side == 0 ? o.pairs.row[step] : o.pairs.row_swap[step];
      CHECK_EQ(o.rows.side[row], side);
      CHECK_NEAR(o.rows.entropy[row], read.rows.entropy[o.rows.position[row]], 1e-5);
    }
  }
  ContextOptions tiny;
  tiny.batch = 3;
  Engine pieces(tiny);
  const Observations cut = pieces.observe({request});
  for (size_t step = 0; step < 6; ++step) CHECK_NEAR(cut.pairs.jsd[step], o.pairs.jsd[step], kBatchShape);
}

TEST("embedding: vectors of length 1 that depend on their own text") {
  if (no_model()) return;
  Engine engine;
  const std::vector<Request> requests = {embed("The dog ran"), probe("Once"), embed("The dog ran"),
                                         embed("A nurse said that she was happy and that was that")};
  const Observations o = engine.observe(requests);
  const auto dimensions = static_cast<size_t>(engine.model.info().embedding_length);
  CHECK(o.embeddings.request == std::vector<uint32_t>({0, 2, 3}));
  CHECK_EQ(o.embeddings.values.size(), 3 * dimensions);
  CHECK_EQ(o.rows.request.size(), size_t{1});
  double length = 0;
  double same = 0;
  double other = 0;
  for (size_t d = 0; d < dimensions; ++d) {
    const auto at = [&](size_t i) { return static_cast<double>(o.embeddings.values[i * dimensions + d]); };
    length += at(0) * at(0);
    same += at(0) * at(1);
    other += at(0) * at(2);
  }
  CHECK_NEAR(length, 1, 1e-6);
  CHECK_NEAR(same, 1, 1e-6);
  CHECK(other < 0.999);
  // Rows are as before: hidden states are no longer asked for.
  CHECK_NEAR(engine.observe({requests[1]}).rows.entropy[0], o.rows.entropy[0], 1e-6);
  ContextOptions tiny;
  tiny.batch = 4;
  tiny.mode = Mode::kExact;
  Engine pieces(tiny);
  const Observations cut = pieces.observe(requests);
  for (size_t i = 0; i < o.embeddings.values.size(); ++i)
    CHECK_NEAR(cut.embeddings.values[i], o.embeddings.values[i], kBatchShape);
}

}  // namespace logit_audit::test
