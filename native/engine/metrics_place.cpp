#include "engine/metrics_place.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/error.h"
#include "metrics/choice.h"

namespace logit_audit {

namespace {

constexpr const char* kAuto = "auto";

// How far a logit may be from that of another pass over the same token, and a number from what the cpu
// kernels make of the same row. Wrong memory, or rows in a wrong order, are off by more.
constexpr double kSameLogit = 1e-2;
constexpr double kSameNumber = 1e-5;

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

// Decodes one token alone, with a row behind it.
void decode_one(llama_context* context, llama_token token) {
  llama_memory_clear(llama_get_memory(context), false);
  llama_batch batch = llama_batch_init(1, 0, 1);
  batch.n_tokens = 1;
  batch.token[0] = token;
  batch.pos[0] = 0;
  batch.n_seq_id[0] = 1;
  batch.seq_id[0][0] = 0;
  batch.logits[0] = 1;
  const int32_t status = llama_decode(context, batch);
  llama_batch_free(batch);
  llama_memory_clear(llama_get_memory(context), false);
  if (status != 0) {
    throw Error(Code::kEngineFailed,
                "llama.cpp could not decode one token (status " + std::to_string(status) + ")");
  }
}

struct TriedRow {
  double logsumexp = 0;
  double entropy = 0;
};

TriedRow reduce_one(const metrics::Reducer& reducer, const metrics::Row& row, size_t vocab) {
  TriedRow out;
  std::vector<metrics::RowTask> tasks(1);
  tasks[0].row = row;
  tasks[0].record = true;
  tasks[0].out = {&out.logsumexp, &out.entropy, nullptr, nullptr, nullptr};
  reducer.reduce_rows(tasks, vocab, metrics::Request());
  if (tasks[0].fault) throw Error(*tasks[0].fault);
  return out;
}

// Masked logits are equal and have no distance.
bool near(double a, double b, double tolerance) {
  return a == b || std::fabs(a - b) <= tolerance * std::max(1.0, std::fabs(b));
}

}  // namespace

MetricsPlace::MetricsPlace(const Model& model, const std::string& asked, const Shape& shape, TapFault fault)
    : model_(model), asked_(asked), shape_(shape), reducer_(metrics::make_cpu_reducer()) {
  metrics::check_implementation(asked);
  const bool wanted = asked == kAuto ? model.accelerated() : asked != metrics::kCpu;
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

const ggml_tensor& MetricsPlace::first_row(llama_context* context, std::vector<float>& host_copy) {
  const auto vocab = static_cast<size_t>(model_.info().vocab_size);
  const llama_token token = std::max(model_.info().bos, 0);
  decode_one(context, token);
  const float* copied = llama_get_logits_ith(context, 0);
  if (copied == nullptr) throw Error(Code::kEngineFailed, "the model gives no logits");
  host_copy.assign(copied, copied + vocab);
  tap_->attach(context);
  // The first call with samplers makes the host's buffer anew; the second must leave it alone.
  decode_one(context, token);
  float* host = llama_get_logits(context);
  if (host == nullptr) throw Error(Code::kEngineFailed, "there is no host buffer to watch");
  std::fill_n(host, vocab, kUntouched);
  tap_->expect();
  decode_one(context, token);
  const ggml_tensor& logits = tap_->logits(context, vocab, 1);
  if (std::any_of(host, host + vocab, [](float value) { return value != kUntouched; })) {
    throw Error(Code::kEngineFailed, "llama.cpp copies logits to the host although it is told not to");
  }
  return logits;
}

std::unique_ptr<metrics::DeviceReducer> MetricsPlace::make_reducer(const ggml_tensor& logits) const {
  const auto vocab = static_cast<size_t>(model_.info().vocab_size);
  const ggml_backend_dev_t device = device_of(logits);
  // On the CPU the cpu kernels are the best ones, and not of this kind: there it is what was asked for.
  const std::string name = asked_ == kAuto ? metrics::best_for(device) : asked_;
  return std::make_unique<metrics::DeviceReducer>(metrics::make_kernels(name, device, vocab, shape_.threads),
                                                  vocab, shape_.outputs, metrics::memory_for_metrics(device));
}

void MetricsPlace::try_out(llama_context* context) {
  if (!on_device_) return;
  const ggml_tensor* logits = nullptr;
  std::vector<float> host_copy;
  try {
    logits = &first_row(context, host_copy);
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
    const size_t vocab = host_copy.size();
    const metrics::Row row = {nullptr, logits, 0};
    std::vector<float> buffer;
    const float* tapped = metrics::host_logits(row, vocab, buffer);
    for (size_t id = 0; id < vocab; ++id) {
      if (near(tapped[id], host_copy[id], kSameLogit)) continue;
      throw Error(Code::kEngineFailed, "a row on the device is not what llama.cpp copies to the host");
    }
    const TriedRow here = reduce_one(*reducer, row, vocab);
    const TriedRow there = reduce_one(*reducer_, {tapped, nullptr, 0}, vocab);
    if (!near(here.logsumexp, there.logsumexp, kSameNumber) ||
        !near(here.entropy, there.entropy, kSameNumber)) {
      throw Error(Code::kEngineFailed, "the metrics \"" + reducer->name() + "\" give other numbers than cpu");
    }
  } catch (const Error& error) {
    return fall_back(context, error.what());
  }
  memory_ = reducer->budget().bytes;
  reducer_ = std::move(reducer);
}

}  // namespace logit_audit
