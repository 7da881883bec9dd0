// An engine on the small real model, and requests for it in a line each.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/context.h"
#include "engine/model.h"
#include "engine/observe.h"
#include "error.h"
#include "test/check.h"
#include "test/files.h"

namespace logit_audit::test {

// " he" and " she" in stories260K.
constexpr int32_t kHe = 281;
constexpr int32_t kShe = 358;

// Float32 in the model's passes, against the float64 reference.
constexpr double kFloat32 = 2e-4;
// What batches of other shapes may change without flash attention and with a float32 cache.
constexpr double kBatchShape = 1e-6;

inline const std::atomic<bool> kGoOn{false};

inline metrics::Request he_and_she() {
  metrics::Request request;
  request.group_ids = {kHe, kShe};
  request.group_offsets = {0, 1, 2};
  request.top_k = 3;
  request.pair_top_k = {5, 20};
  return request;
}

// A model that the CPU computes. An accelerator may multiply in half precision, and what the engine does with
// logits is the same wherever they come from; what differs there, tap_test.cpp and graph_test.cpp look at.
inline ModelOptions on_cpu() {
  ModelOptions options;
  options.device = "cpu";
  return options;
}

struct Engine {
  explicit Engine(ContextOptions options = {}, ModelOptions model_options = on_cpu())
      : model(stories_model(), model_options), context(model, options) {}
  Observations observe(const std::vector<Request>& requests, const std::atomic<bool>& cancel = kGoOn) {
    return logit_audit::observe(model, context, reducer ? *reducer : context.metrics().reducer(), requests,
                                measure, cancel);
  }
  Model model;
  Context context;
  // Instead of the context's own.
  std::unique_ptr<metrics::Reducer> reducer;
  metrics::Request measure = he_and_she();
};

inline Request probe(const std::string& text) {
  Request request;
  request.texts = {text};
  return request;
}

inline std::vector<Request> probes(const std::vector<std::string>& texts) {
  std::vector<Request> requests;
  for (const std::string& text : texts) requests.push_back(probe(text));
  return requests;
}

inline Request pair(const std::string& x, const std::string& swap, PairSteps steps = PairSteps::kLast) {
  Request request;
  request.kind = RequestKind::kPair;
  request.texts = {x, swap};
  request.pair_steps = steps;
  return request;
}

inline Request score(const std::string& prompt, const std::vector<std::string>& continuations) {
  Request request;
  request.kind = RequestKind::kScore;
  request.texts = {prompt};
  request.texts.insert(request.texts.end(), continuations.begin(), continuations.end());
  request.per_token = true;
  return request;
}

inline Request generate(const std::string& prompt, uint32_t max_tokens) {
  Request request;
  request.kind = RequestKind::kGenerate;
  request.texts = {prompt};
  request.decoding.max_tokens = max_tokens;
  return request;
}

inline bool no_model() {
  if (std::filesystem::exists(stories_model())) return false;
  skip("no shared model beside the checkout");
  return true;
}

}  // namespace logit_audit::test
