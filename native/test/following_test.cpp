// Texts that continue after they are written, checked against requests of their own.
#include "engine/following.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/tokenizer.h"
#include "engine/utf8.h"
#include "test/engine_fixture.h"

namespace logit_audit::test {

namespace {

// The log-probability of a few tokens, whose prompts lay in batches of other shapes.
constexpr double kSecondText = 1e-5;

// The same of one that is forced to be unlikely.
constexpr double kSumOfMany = 1e-6;

const std::string kThen = " And then she said:";

Request going_on(const std::string& prompt, uint32_t max_tokens, uint32_t then_tokens = 6) {
  Request request = generate(prompt, max_tokens);
  request.then = Then{kThen, {}};
  request.then->decoding.max_tokens = then_tokens;
  return request;
}

// What a caller would request instead of `then`.
Request asked_anew(const Request& first, const std::string& written) {
  Request request = generate(first.texts[0] + written + first.then->text, 1);
  request.decoding = first.then->decoding;
  request.special = first.special;
  return request;
}

std::vector<int32_t> ids_of(const GenerationTable& table, size_t at) {
  return {table.ids.begin() + table.offsets[at], table.ids.begin() + table.offsets[at + 1]};
}

size_t common_prefix(const std::vector<int32_t>& a, const std::vector<int32_t>& b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// What lies in a slot once its text is written: the prompt, and what was chosen but for the last token.
std::vector<int32_t> held_by(Engine& engine, const Request& request, const std::vector<int32_t>& chosen) {
  std::vector<int32_t> held = tokenize(engine.model.vocab(), request.texts[0], true, request.special);
  held.insert(held.end(), chosen.begin(), chosen.end() - 1);
  return held;
}

void check_log_prob(double measured, double expected) {
  CHECK_NEAR(measured, expected, std::max(kSecondText, kSumOfMany * std::fabs(expected)));
}

// Every text that was followed is what a request of its own gives, asked alone. Says how many tokens of
// prompts and texts were taken from the cache in all.
size_t check_followed(Engine& engine, const std::vector<Request>& requests, const Observations& o) {
  size_t kept = 0;
  for (size_t f = 0; f < o.followed.request.size(); ++f) {
    const uint32_t index = o.followed.request[f];
    const auto place = std::find(o.generations.request.begin(), o.generations.request.end(), index);
    CHECK(place != o.generations.request.end());
    const auto g = static_cast<size_t>(place - o.generations.request.begin());
    const Observations own = engine.observe({asked_anew(requests[index], o.generations.texts[g])});
    CHECK_EQ(o.followed.texts[f], own.generations.texts.at(0));
    CHECK_EQ(o.followed.finish[f], own.generations.finish.at(0));
    CHECK(ids_of(o.followed, f) == ids_of(own.generations, 0));
    check_log_prob(o.followed.log_prob[f], own.generations.log_prob.at(0));
    const std::vector<int32_t> held = held_by(engine, requests[index], ids_of(o.generations, g));
    kept += std::min(common_prefix(held, own.sequences.ids), own.sequences.ids.size() - 1);
  }
  return kept;
}

// Counts the calls that reduce rows, and does something at one of them.
class Counting : public metrics::Reducer {
 public:
  using Act = std::function<void(std::vector<metrics::RowTask>&)>;
  Counting(const metrics::Reducer& own, Act act) : own_(own), act_(std::move(act)) {}
  void reduce_rows(std::vector<metrics::RowTask>& tasks, size_t vocab,
                   const metrics::Request& request) const override {
    own_.reduce_rows(tasks, vocab, request);
    if (++calls_ == act_at_) act_(tasks);
  }
  void reduce_pairs(std::vector<metrics::PairTask>& tasks, size_t vocab,
                    const metrics::Request& request) const override {
    own_.reduce_pairs(tasks, vocab, request);
  }
  void check(const metrics::Request& request, size_t vocab) const override { own_.check(request, vocab); }
  std::string name() const override { return own_.name(); }
  // From 1; 0: at none.
  void restart(size_t act_at) {
    calls_ = 0;
    act_at_ = act_at;
  }
  size_t calls() const { return calls_; }

 private:
  const metrics::Reducer& own_;
  Act act_;
  mutable size_t calls_ = 0;
  size_t act_at_ = 0;
};

Counting& count_in(Engine& engine, const Counting::Act& act) {
  auto counting = std::make_unique<Counting>(engine.context.metrics().reducer(), act);
  Counting& counted = *counting;
  engine.reducer = std::move(counting);
  return counted;
}

}  // namespace

TEST("following: what was written is not decoded again, and the numbers are those of a second request") {
  if (no_model()) return;
  Engine engine;
  const std::vector<Request> requests = {going_on("Once upon a time", 20)};
  const Observations first = engine.observe({generate("Once upon a time", 20)});
  CHECK(first.followed.request.empty());
  const Observations o = engine.observe(requests);
  CHECK_EQ(o.generations.texts[0], first.generations.texts[0]);
  CHECK_EQ(o.followed.request.size(), size_t{1});
  const size_t kept = check_followed(engine, requests, o);
  // All of the prompt and nearly all of the text: the join may take a token.
  CHECK(kept >= 5 + 20 - 3);
  const Observations second = engine.observe({asked_anew(requests[0], o.generations.texts[0])});
  CHECK_EQ(o.decoded_tokens, first.decoded_tokens + second.decoded_tokens - kept);
  CHECK_EQ(o.naive_tokens, first.naive_tokens + second.naive_tokens);
  // The text behind is reported with the generation, and is no text that was requested.
  CHECK_EQ(o.sequences.request.size(), size_t{1});
  CHECK(o.rows.request.empty());
}

TEST("following: texts that share prompts, in several batches, some of them cut into their prompts") {
  if (no_model()) return;
  ContextOptions options;
  options.context_length = 64;
  options.batch = 16;
  Engine engine(options);
  std::vector<Request> requests;
  // The first continues in the middle of a word, so that it is read as one token with the prompt's last one:
  // what a batch takes over of such a prompt from the one before must be what stood there at first.
  for (const char* prompt : {"Once upon a tim", "Once upon a time", "One day a girl"}) {
    const bool amid_word = prompt == std::string("Once upon a tim");
    for (uint32_t copy = 0; copy < (amid_word ? 14U : 5U); ++copy) {
      requests.push_back(going_on(prompt, 4 + copy % 5, 3 + copy % 3));
      if (amid_word) requests.back().decoding.grammar = "root ::= \"e there\" .*";
      requests.push_back(generate(prompt, 6));
      requests.push_back(probe(prompt));
    }
  }
  const Observations o = engine.observe(requests);
  CHECK(o.failures.empty());
  CHECK_EQ(o.followed.request.size(), size_t{24});
  CHECK(std::is_sorted(o.followed.request.begin(), o.followed.request.end()));
  check_followed(engine, requests, o);
  size_t cut_into_prompt = 0;
  for (size_t g = 0; g < o.generations.request.size(); ++g) {
    const Request& request = requests[o.generations.request[g]];
    Request plain = request;
    plain.then.reset();
    const Observations alone = engine.observe({plain});
    CHECK_EQ(o.generations.texts[g], alone.generations.texts[0]);
    check_log_prob(o.generations.log_prob[g], alone.generations.log_prob[0]);
    if (!request.then) continue;
    const auto prompt = tokenize(engine.model.vocab(), request.texts[0], true);
    const auto whole =
        tokenize(engine.model.vocab(), request.texts[0] + o.generations.texts[g] + kThen, true);
    cut_into_prompt += common_prefix(prompt, whole) < prompt.size() ? 1 : 0;
  }
  CHECK_EQ(cut_into_prompt, size_t{14});
}

TEST("following: in exact mode the same bits as of a request of its own") {
  if (no_model()) return;
  ContextOptions options;
  options.mode = Mode::kExact;
  Engine engine(options);
  const std::vector<Request> requests = {going_on("Once upon a time", 15), probe("The nurse said that"),
                                         going_on("One day a girl", 9)};
  const Observations o = engine.observe(requests);
  CHECK(o.followed.request == std::vector<uint32_t>({0, 2}));
  check_followed(engine, requests, o);
  for (size_t g = 0; g < 2; ++g) {
    const Observations own = engine.observe({asked_anew(requests[2 * g], o.generations.texts[g])});
    CHECK_EQ(o.followed.log_prob[g], own.generations.log_prob[0]);
  }
  CHECK_EQ(o.decoded_tokens, o.naive_tokens);
}

TEST("following: the text behind has rules of its own") {
  if (no_model()) return;
  Engine engine;
  std::vector<Request> requests(4, going_on("Once upon a time", 12, 8));
  requests[0].decoding.temperature = 0.8;
  requests[1].then->decoding.temperature = 1;
  requests[1].then->decoding.seed = 3;
  requests[2].then->decoding.grammar = "root ::= \" \" (\"he\" | \"she\") \" ran\"";
  const Observations o = engine.observe(requests);
  CHECK_EQ(o.followed.request.size(), size_t{4});
  check_followed(engine, requests, o);
  CHECK(o.followed.texts[1] != o.followed.texts[3]);
  CHECK(o.followed.texts[2] == " he ran" || o.followed.texts[2] == " she ran");
  requests[3].then->decoding.stop = {o.followed.texts[3].substr(4, 2)};
  const Observations stopped = engine.observe({requests[3]});
  CHECK_EQ(stopped.followed.finish[0], static_cast<uint8_t>(Finish::kStop));
  CHECK_EQ(stopped.followed.texts[0],
           o.followed.texts[3].substr(0, o.followed.texts[3].find(requests[3].then->decoding.stop[0])));
}

TEST("following: without room it is missing, and nothing fails") {
  if (no_model()) return;
  ContextOptions options;
  options.context_length = 32;
  Engine engine(options);
  const std::vector<Request> requests = {going_on("Once upon a time", 100),
                                         going_on("Once upon a time", 4, 100),
                                         going_on("Once upon a time", 4), going_on("Once upon a time", 1, 1)};
  const Observations o = engine.observe(requests);
  CHECK(o.failures.empty());
  CHECK_EQ(o.generations.finish[0], static_cast<uint8_t>(Finish::kContext));
  CHECK(o.generations.request == std::vector<uint32_t>({0, 1, 2, 3}));
  CHECK(o.followed.request == std::vector<uint32_t>({2, 3}));
  check_followed(engine, requests, o);
}

TEST("following: a text that cannot be read as it was written does not continue") {
  if (no_model()) return;
  Engine engine;
  Request half = going_on("Once upon a time", 1);
  // Of two bytes, each a token of its own.
  half.decoding.grammar = "root ::= \"\xc4\x85\"";
  Request control = going_on("Once upon a time", 4);
  control.decoding.grammar = "root ::= \"</s>\"";
  Request special = control;
  special.special = true;
  Request fine = half;
  fine.decoding.max_tokens = 2;
  const std::vector<Request> requests = {half, special, fine};
  const Observations o = engine.observe(requests);
  CHECK(o.failures.empty());
  CHECK_EQ(o.generations.texts[0], std::string("\xc4"));
  CHECK_EQ(o.generations.texts[2], std::string("\xc4\x85"));
  CHECK(o.followed.request == std::vector<uint32_t>({2}));
  check_followed(engine, requests, o);
}

TEST(
    "following: numbers that cannot be fail their request; a grammar that nothing fulfils leaves the text "
    "out") {
  if (no_model()) return;
  Engine engine;
  std::vector<Request> requests(3, going_on("Once", 4));
  requests[0].then->decoding.max_tokens = 0;
  requests[1].then->decoding.temperature = -1;
  const Observations o = engine.observe(requests);
  CHECK_EQ(o.failures.size(), size_t{2});
  CHECK(o.failures[0].code == Code::kBadArgument);
  CHECK(o.failures[0].message.find("then") != std::string::npos);
  CHECK(o.generations.request == std::vector<uint32_t>({2}));
  CHECK(o.followed.request == std::vector<uint32_t>({2}));
}

TEST("following: cancelled while it is decoded, and right again after it") {
  if (no_model()) return;
  Engine engine;
  std::atomic<bool> stop{false};
  Counting& counted = count_in(engine, [&](auto&) { stop.store(true); });
  const std::vector<Request> requests = {going_on("Once upon a time", 6, 6),
                                         going_on("Once upon a time", 9, 6)};
  const Observations whole = engine.observe(requests, stop);
  const size_t calls = counted.calls();
  // The last step's rows are one call, and its two tokens one each.
  for (const size_t before_end : {size_t{3}, size_t{8}, size_t{20}}) {
    stop.store(false);
    counted.restart(calls - before_end);
    CHECK_FAULT(engine.observe(requests, stop), Code::kCancelled);
  }
  stop.store(false);
  counted.restart(0);
  const Observations again = engine.observe(requests, stop);
  CHECK(again.followed.texts == whole.followed.texts);
  CHECK(again.followed.log_prob == whole.followed.log_prob);
}

TEST("following: a row that is no row, behind a text that was written, costs what follows and nothing else") {
  if (no_model()) return;
  Engine engine;
  Counting& counted = count_in(engine, [](std::vector<metrics::RowTask>& tasks) {
    tasks.at(0).fault = Error(Code::kNotFinite, "no row");
  });
  const std::vector<Request> requests = {going_on("Once upon a time", 6, 6)};
  const Observations whole = engine.observe(requests);
  counted.restart(counted.calls());
  const Observations faulty = engine.observe(requests);
  CHECK(faulty.failures.empty());
  CHECK(faulty.generations.texts == whole.generations.texts);
  CHECK(faulty.followed.request.empty());
  // In the text itself it is the request's.
  counted.restart(2);
  const Observations failed = engine.observe(requests);
  CHECK_EQ(failed.failures.size(), size_t{1});
  CHECK(failed.generations.request.empty() && failed.followed.request.empty());
}

TEST("following: on a device's logits, in calls of a few tokens") {
  if (no_model()) return;
  ContextOptions options;
  options.metrics = "graph";
  options.batch = 5;
  Engine device(options);
  Engine host;
  const std::vector<Request> requests = {going_on("Once upon a time", 10),
                                         going_on("The nurse said that", 14)};
  const Observations o = device.observe(requests);
  CHECK(o.followed.request == std::vector<uint32_t>({0, 1}));
  check_followed(host, requests, o);
  CHECK(o.followed.texts == host.observe(requests).followed.texts);
}

TEST("following: cells are set aside for what is put behind a text and written there") {
  if (no_model()) return;
  Engine engine;
  const auto growth = [&](const Request& request, uint32_t context_length) {
    return make_sequences(engine.model, request, 0, context_length).sequences.at(0).growth;
  };
  const auto behind = static_cast<uint32_t>(tokenize(engine.model.vocab(), kThen, false).size());
  CHECK_EQ(growth(generate("Once upon a time", 20), 512), 19U);
  CHECK(growth(going_on("Once upon a time", 20, 6), 512) >= 20 + behind + 5);
  CHECK(growth(going_on("Once upon a time", 20, 6), 512) <= 20 + behind + 5 + 8);
  CHECK_EQ(growth(going_on("Once upon a time", 20, 6), 16), 16U - 5U);
}

TEST("following: bytes that are a text") {
  for (const char* text : {"", "she", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xef\xbf\xbd",
                           "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf z"})
    CHECK(is_utf8(text));
  for (const char* text : {"\x80", "a\xc3", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",
                           "\xe2\x28\xa1", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                           "\xf0\x9f\x98", "\xff", "\xe2\x82z", "\xf0\x9f\x98z"})
    CHECK(!is_utf8(text));
}

}  // namespace logit_audit::test
