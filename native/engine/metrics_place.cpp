#include "engine/metrics_place.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/trial.h"
#include "error.h"
#include "metrics/choice.h"

namespace logit_audit {

namespace {

constexpr const char* kAuto = "auto";

// How far a logit may be from that of another pass over the same tokens. Wrong memory, or rows in a wrong
// order, are off by more.
constexpr double kSameLogit = 1e-2;

// Two rows, so that a pair and the order of rows are tried too.
constexpr auto kTried = static_cast<int32_t>(std::tuple_size_v<TrialRows>);

// What a copy to the host would overwrite.
constexpr float kUntouched = 12345.0F;

// Why rows cannot stay on a device with this model; empty where they can.
std::string why_not(const Model& model) {
  if (!model.info().causal) return "the model gives no logits for a next token";
  if (llama_model_is_recurrent(model.get()) || llama_model_is_hybrid(model.get()))
    return "a model with a recurrent state is decoded in several graphs a call";
  return "";
}

ggml_backend_dev_t device_of(const ggml_tensor& tensor) {
  const ggml_backend_dev_t device = ggml_backend_buft_get_device(ggml_backend_buffer_get_type(tensor.buffer));
  // Plain host memory belongs to no device.
  return device != nullptr ? device : ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
}

// Decodes a token as often as rows are tried, in one text, with a row behind each.
void try_decode(llama_context* context, llama_token token) {
  llama_memory_clear(llama_get_memory(context), false);
  llama_batch batch = llama_batch_init(kTried, 0, 1);
  batch.n_tokens = kTried;
  for (int32_t i = 0; i < kTried; ++i) {
    batch.token[i] = token;
    batch.pos[i] = i;
    batch.n_seq_id[i] = 1;
    batch.seq_id[i][0] = 0;
    batch.logits[i] = 1;
  }
  const int32_t status = llama_decode(context, batch);
  llama_batch_free(batch);
  llama_memory_clear(llama_get_memory(context), false);
  if (status != 0) {
    throw Error(Code::kEngineFailed,
                "llama.cpp could not decode two tokens (status " + std::to_string(status) + ")");
  }
}

bool same_logit(double a, double b) { return near(a, b, kSameLogit); }

}  // namespace

MetricsPlace::MetricsPlace(const Model& model, const std::string& asked, const Shape& shape, TapFault fault)
    : model_(model), asked_(asked), shape_(shape), reducer_(metrics::make_cpu_reducer()) {
  metrics::check_implementation(asked);
  const bool wanted = asked == kAuto ? model.is_accelerated() : asked != metrics::kCpu;
  if (!wanted) return;
  const std::string reason = why_not(model);
  if (reason.empty()) {
    tap_ = std::make_unique<DeviceTap>(shape.sequences, shape.outputs, fault);
    on_device_ = true;
  } else if (asked != kAuto) {
    fall_back(nullptr, reason);
  }
}

void MetricsPlace::install(llama_context_params& params) {
  if (tap_) tap_->install(params);
}

void MetricsPlace::fall_back(llama_context* context, const std::string& why) {
  if (tap_ && context != nullptr) tap_->detach(context);
  on_device_ = false;
  reducer_ = metrics::make_cpu_reducer();
  memory_ = 0;
  warning_ =
      "logits are copied to host memory and reduced there, which is as exact and may be slower: " + why;
}

const ggml_tensor& MetricsPlace::tried_rows(llama_context* context, std::vector<float>& host_copy) {
  const auto vocab = static_cast<size_t>(model_.info().vocab_size);
  const size_t logits_count = kTried * vocab;
  const llama_token token = std::max(model_.info().bos, 0);
  try_decode(context, token);
  const float* copied = llama_get_logits(context);
  if (copied == nullptr) throw Error(Code::kEngineFailed, "the model gives no logits");
  host_copy.assign(copied, copied + logits_count);
  tap_->attach(context);
  // The first call with samplers makes the host's buffer anew; the second must leave it alone.
  try_decode(context, token);
  float* host = llama_get_logits(context);
  if (host == nullptr) throw Error(Code::kEngineFailed, "there is no host buffer to watch");
  std::fill_n(host, logits_count, kUntouched);
  tap_->expect();
  try_decode(context, token);
  const ggml_tensor& logits = tap_->logits(context, vocab, kTried);
  if (std::any_of(host, host + logits_count, [](float value) { return value != kUntouched; })) {
    throw Error(Code::kEngineFailed, "llama.cpp copies logits to the host although it was set not to");
  }
  return logits;
}

std::unique_ptr<metrics::DeviceReducer> MetricsPlace::make_reducer(const ggml_tensor& logits) const {
  const auto vocab = static_cast<size_t>(model_.info().vocab_size);
  const ggml_backend_dev_t device = device_of(logits);
  // On the CPU the cpu kernels are the best ones, and not of this kind: there it is what was requested.
  const std::string name = asked_ == kAuto ? metrics::best_for(device) : asked_;
  return std::make_unique<metrics::DeviceReducer>(metrics::make_kernels(name, device, vocab, shape_.threads),
                                                  vocab, shape_.outputs, metrics::memory_for_metrics(device));
}

void MetricsPlace::try_out(llama_context* context) {
  if (!on_device_) return;
  const ggml_tensor* logits = nullptr;
  std::vector<float> host_copy;
  try {
    logits = &tried_rows(context, host_copy);
  } catch (const Error& error) {
    return fall_back(context, error.what());
  }
  if (asked_ == kAuto && ggml_backend_buffer_is_host(logits->buffer)) {
    // The last layer is the CPU's: rows are in host memory as it is.
    tap_->detach(context);
    on_device_ = false;
    return;
  }
  std::unique_ptr<metrics::DeviceReducer> reducer = make_reducer(*logits);
  try {
    const size_t vocab = host_copy.size() / kTried;
    TrialRows rows;
    TrialRows copies;
    std::array<std::vector<float>, kTried> buffers;
    for (uint32_t i = 0; i < kTried; ++i) {
      rows[i] = {nullptr, logits, i};
      const float* tapped = metrics::host_logits(rows[i], vocab, buffers[i]);
      copies[i] = {tapped, nullptr, 0};
      const float* copied = host_copy.data() + i * vocab;
      if (!std::equal(tapped, tapped + vocab, copied, same_logit))
        throw Error(Code::kEngineFailed, "a row on the device is not what llama.cpp copies to the host");
    }
    const std::string other = first_difference(*reducer, rows, *reducer_, copies, vocab);
    if (!other.empty()) {
      throw Error(Code::kEngineFailed,
                  "the metrics \"" + reducer->name() + "\" give another " + other + " than cpu");
    }
  } catch (const Error& error) {
    return fall_back(context, error.what());
  }
  memory_ = reducer->budget().bytes;
  reducer_ = std::move(reducer);
}

}  // namespace logit_audit
