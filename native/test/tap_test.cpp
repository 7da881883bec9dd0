// Logits that stay on their device, through the engine: the same numbers as from host memory, a host buffer
// that nobody writes to, and what happens when llama.cpp is not as it was. On the CPU's backend, and on every
// accelerator that this machine and this build have: there the model computes on it both times, so that the
// logits are the same and only who reduces them differs.
#include <algorithm>

#include "engine/devices.h"
#include "metrics/device.h"
#include "test/engine_fixture.h"

namespace logit_audit::test {

namespace {

// Float32 sums against the cpu kernels'.
constexpr double kRelative = 1e-6;

ContextOptions on(const std::string& metrics, TapFault fault = TapFault::kNone) {
  ContextOptions options;
  options.metrics = metrics;
  options.tap_fault = fault;
  return options;
}

// The devices that a model may be given to, one by one.
std::vector<ModelOptions> places() {
  std::vector<ModelOptions> all = {on_cpu()};
  for (const ComputeDevice& device : compute_devices()) {
    if (device.kind != DeviceKind::kGpu && device.kind != DeviceKind::kIntegratedGpu) continue;
    all.emplace_back();
    all.back().device = device.name;
  }
  return all;
}

void check_column(const char* what, const std::vector<double>& a, const std::vector<double>& b) {
  CHECK_EQ(a.size(), b.size());
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    check_near(a[i], b[i], kRelative * std::max(1e-9, std::fabs(b[i])), what, __FILE__, __LINE__);
  }
}

void check_same(const Observations& a, const Observations& b) {
  CHECK(a.rows.request == b.rows.request);
  CHECK(a.rows.position == b.rows.position);
  CHECK(a.rows.top_k_ids == b.rows.top_k_ids);
  CHECK(a.pairs.union_size == b.pairs.union_size);
  CHECK(a.targets.rank == b.targets.rank);
  CHECK(a.targets.token == b.targets.token);
  CHECK(a.generations.texts == b.generations.texts);
  CHECK(a.generations.ids == b.generations.ids);
  check_column("logsumexp", a.rows.logsumexp, b.rows.logsumexp);
  check_column("entropy", a.rows.entropy, b.rows.entropy);
  check_column("masses", a.rows.masses, b.rows.masses);
  check_column("top probabilities", a.rows.top_k_probs, b.rows.top_k_probs);
  check_column("jsd", a.pairs.jsd, b.pairs.jsd);
  check_column("kl_pq", a.pairs.kl_pq, b.pairs.kl_pq);
  check_column("kl_qp", a.pairs.kl_qp, b.pairs.kl_qp);
  check_column("total variation", a.pairs.total_variation, b.pairs.total_variation);
  check_column("partial", a.pairs.partial, b.pairs.partial);
  check_column("lower", a.pairs.lower, b.pairs.lower);
  check_column("upper", a.pairs.upper, b.pairs.upper);
  check_column("log-probability", a.targets.log_prob, b.targets.log_prob);
  check_column("scores", a.scores.log_prob, b.scores.log_prob);
  CHECK_EQ(a.failures.size(), b.failures.size());
  CHECK_EQ(a.decoded_tokens, b.decoded_tokens);
}

Request generated(const std::string& prompt, double temperature, const std::string& grammar = "") {
  Request request;
  request.kind = RequestKind::kGenerate;
  request.texts = {prompt};
  request.step_metrics = true;
  request.decoding.max_tokens = 8;
  request.decoding.temperature = temperature;
  request.decoding.seed = 5;
  request.decoding.grammar = grammar;
  return request;
}

// One of every kind of request, enough for several calls.
std::vector<Request> mixed() {
  std::vector<Request> requests;
  Request whole = probe("Once upon a time there was a little girl who said that she");
  whole.positions = Positions::kAll;
  requests.push_back(whole);
  for (int i = 0; i < 12; ++i) {
    const std::string who = "The nurse number " + std::to_string(i) + " said that ";
    requests.push_back(pair(who + "he was tired", who + "she was tired", PairSteps::kAligned));
    requests.push_back(score(who, {"he", "she was", "they were all"}));
    requests.push_back(probe(who));
  }
  Request decoded = pair("The man said", "The woman said", PairSteps::kDecode);
  decoded.decoding.max_tokens = 5;
  requests.push_back(decoded);
  requests.push_back(generated("Once upon a time", 0));
  requests.push_back(generated("The dog", 0.8));
  requests.push_back(generated("The cat", 0, "root ::= [a-z ]+"));
  return requests;
}

}  // namespace

TEST("tap: every request gives the same from the device as from host memory") {
  if (no_model()) return;
  for (const ModelOptions& place : places()) {
    Engine host(on("cpu"), place);
    Engine device(on("graph"), place);
    CHECK_EQ(device.context.metrics().warning(), std::string());
    CHECK_EQ(device.context.metrics().reducer().name(), std::string("graph"));
    CHECK(device.context.metrics().tap() != nullptr);
    CHECK(device.context.metrics().memory() > 0);
    CHECK(host.context.metrics().tap() == nullptr);
    check_same(device.observe(mixed()), host.observe(mixed()));
    const auto& reducer = dynamic_cast<const metrics::DeviceReducer&>(device.context.metrics().reducer());
    CHECK_EQ(reducer.handed_to_cpu(), size_t{0});
  }
}

TEST("tap: sides of a pair in different calls, and batches that llama.cpp would cut") {
  if (no_model()) return;
  std::vector<Request> requests = mixed();
  std::string longer = "Once upon a time";
  for (int i = 0; i < 20; ++i) longer += " there was a big dog and";
  requests.push_back(pair(longer + " he", "One day " + longer + " she"));
  for (const ModelOptions& place : places()) {
    for (const uint32_t batch : {5U, 16U, 600U}) {
      ContextOptions cpu = on("cpu");
      ContextOptions graph = on("graph");
      cpu.batch = graph.batch = batch;
      Engine host(cpu, place);
      Engine device(graph, place);
      check_same(device.observe(requests), host.observe(requests));
    }
  }
}

TEST("tap: in exact mode too") {
  if (no_model()) return;
  ContextOptions cpu = on("cpu");
  ContextOptions graph = on("graph");
  cpu.mode = graph.mode = Mode::kExact;
  for (const ModelOptions& place : places()) {
    Engine host(cpu, place);
    Engine device(graph, place);
    check_same(device.observe(mixed()), host.observe(mixed()));
  }
}

TEST("tap: the host's buffer of logits is never written to") {
  if (no_model()) return;
  const std::vector<Request> requests = {pair("The nurse said that she", "The nurse said that he"),
                                         score("Once upon a time", {" there was", " a dog"}), probe("The")};
  const auto watched = [](Engine& engine) {
    float* host = llama_get_logits(engine.context.get());
    std::fill_n(host, 4 * 512, 12345.0F);
    return host;
  };
  const auto untouched = [](const float* host) {
    return static_cast<size_t>(std::count(host, host + 4 * 512, 12345.0F));
  };
  for (const ModelOptions& place : places()) {
    Engine device(on("graph"), place);
    // The buffer may grow with the first window; then it stays.
    device.observe(requests);
    float* host = watched(device);
    CHECK_EQ(device.observe(requests).failures.size(), size_t{0});
    CHECK_EQ(llama_get_logits(device.context.get()), host);
    CHECK_EQ(untouched(host), size_t{4 * 512});
    // The same look at an engine without the tap sees every row.
    Engine copies(on("cpu"), place);
    copies.observe(requests);
    host = watched(copies);
    copies.observe(requests);
    CHECK_EQ(untouched(host), size_t{0});
  }
}

TEST("tap: where llama.cpp is not as it was, rows come from the host, and one warning says why") {
  if (no_model()) return;
  const std::vector<std::pair<TapFault, std::string>> faults = {{TapFault::kNotSeen, "result_output"},
                                                                {TapFault::kCopied, "set not to"},
                                                                {TapFault::kOtherLogits, "is not what"}};
  for (const ModelOptions& where : places()) {
    Engine host(on("cpu"), where);
    const Observations expected = host.observe(mixed());
    for (const auto& [fault, word] : faults) {
      Engine engine(on("graph", fault), where);
      const MetricsPlace& place = engine.context.metrics();
      CHECK(place.tap() == nullptr);
      CHECK_EQ(place.reducer().name(), std::string("cpu"));
      CHECK(place.warning().find(word) != std::string::npos);
      CHECK(place.warning().find("copied to host memory") != std::string::npos);
      CHECK_EQ(place.memory(), size_t{0});
      check_same(engine.observe(mixed()), expected);
    }
  }
}

TEST("tap: auto keeps to the cpu kernels where the CPU computes the logits; unknown names are refused") {
  if (no_model()) return;
  Engine engine(on("auto"));
  CHECK(engine.context.metrics().tap() == nullptr);
  CHECK(engine.context.metrics().warning().empty());
  CHECK_EQ(engine.context.metrics().reducer().name(), std::string("cpu"));
  CHECK_FAULT(Engine(on("gpu")), Code::kBadArgument);
}

TEST("tap: auto leaves rows on an accelerator, with the implementation that is best there") {
  bool any = false;
  for (const ComputeDevice& device : compute_devices()) {
    if (device.kind != DeviceKind::kGpu && device.kind != DeviceKind::kIntegratedGpu) continue;
    if (no_model()) return;
    any = true;
    ModelOptions place;
    place.device = device.name;
    Engine engine(on("auto"), place);
    CHECK_EQ(engine.context.metrics().warning(), std::string());
    CHECK_EQ(engine.context.metrics().reducer().name(), device.metrics);
    CHECK(engine.context.metrics().tap() != nullptr);
    Engine copies(on("cpu"), place);
    check_same(engine.observe(mixed()), copies.observe(mixed()));
  }
  if (!any) skip("this build has no accelerator, or finds none");
}

TEST("tap: embeddings beside metrics") {
  if (no_model()) return;
  Request text = probe("The nurse said that");
  text.kind = RequestKind::kEmbed;
  const std::vector<Request> requests = {text, probe("Once upon"), text};
  for (const ModelOptions& place : places()) {
    Engine host(on("cpu"), place);
    Engine device(on("graph"), place);
    const Observations a = device.observe(requests);
    const Observations b = host.observe(requests);
    CHECK(a.embeddings.values == b.embeddings.values);
    check_same(a, b);
  }
}

}  // namespace logit_audit::test
