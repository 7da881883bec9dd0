#include "engine/metrics_place.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/error.h"
#include "metrics/graph/graph.h"

namespace logit_audit {

namespace {

// How far a row's numbers on a device may be from those of the cpu kernels when a model is opened. Wrong memory or a
// wrong order is off by more than any rounding.
constexpr double kSameRow = 1e-5;

// What a copy to the host would overwrite.
constexpr float kUntouched = 12345.0F;

// The part of a device's free memory that metrics may take.
constexpr size_t kShareOfFree = 2;

// Why rows cannot stay on a device with this model; empty where they can.
std::string why_not(const Model& model) {
  if (!model.info().causal) return "the model gives no logits for a next token";
  if (llama_model_is_recurrent(model.get()) || llama_model_is_hybrid(model.get()))
    return "a model with a recurrent state is decoded in several graphs a call";
  return "";
}

ggml_backend_dev_t device_of(const ggml_tensor& tensor) {
  const ggml_backend_dev_t device =
      ggml_backend_buft_get_device(ggml_backend_buffer_get_type(tensor.buffer));
  // Plain host memory belongs to no device.
  return device != nullptr ? device : ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
}

size_t memory_for_metrics(ggml_backend_dev_t device) {
  size_t free = 0;
  size_t total = 0;
  ggml_backend_dev_memory(device, &free, &total);
  // Some drivers do not say.
  return free == 0 ? metrics::kMetricsMemory : std::min(metrics::kMetricsMemory, free / kShareOfFree);
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

bool near(double a, double b) { return std::fabs(a - b) <= kSameRow * std::max(1.0, std::fabs(b)); }

}  // namespace

MetricsPlace::MetricsPlace(const Model& model, MetricsImpl asked, const Shape& shape, TapFault fault)
    : model_(model), asked_(asked), shape_(shape), reducer_(metrics::make_cpu_reducer()) {
  const bool wanted = asked == MetricsImpl::kGraph || (asked == MetricsImpl::kAuto && model.accelerated());
  if (!wanted) return;
  const std::string reason = why_not(model);
  if (reason.empty()) {
    tap_ = std::make_unique<DeviceTap>(shape.sequences, shape.outputs, fault);
    on_device_ = true;
  } else if (asked == MetricsImpl::kGraph) {
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
  warning_ = "logits are copied to host memory and reduced there, which is as exact and may be slower: " + why;
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
  return std::make_unique<metrics::DeviceReducer>(
      metrics::make_graph_kernels(device, vocab, shape_.threads), vocab, shape_.outputs,
      memory_for_metrics(device));
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
  if (asked_ == MetricsImpl::kAuto && ggml_backend_buffer_is_host(logits->buffer)) {
    // The last layer is the CPU's: rows are in host memory as it is.
    tap_->detach(context);
    on_device_ = false;
    return;
  }
  std::unique_ptr<metrics::DeviceReducer> reducer = make_reducer(*logits);
  try {
    const size_t vocab = host_copy.size();
    const TriedRow here = reduce_one(*reducer, {nullptr, logits, 0}, vocab);
    const TriedRow there = reduce_one(*reducer_, {host_copy.data(), nullptr, 0}, vocab);
    if (!near(here.logsumexp, there.logsumexp) || !near(here.entropy, there.entropy)) {
      throw Error(Code::kEngineFailed, "a row on the device is not what llama.cpp copies to the host");
    }
  } catch (const Error& error) {
    return fall_back(context, error.what());
  }
  memory_ = reducer->budget().bytes;
  reducer_ = std::move(reducer);
}

}  // namespace logit_audit
