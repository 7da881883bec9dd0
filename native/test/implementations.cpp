#include "test/implementations.h"

#include <utility>

#include "metrics/choice.h"

namespace logit_audit::test {

namespace {

// Rows of a test's largest batch.
constexpr size_t kMostRows = 512;

}  // namespace

std::unique_ptr<metrics::Reducer> Implementation::reducer(size_t vocab, size_t memory) const {
  if (device == nullptr) return metrics::make_cpu_reducer();
  return std::make_unique<metrics::DeviceReducer>(kernels(vocab), vocab, kMostRows, memory);
}

std::unique_ptr<metrics::Kernels> Implementation::kernels(size_t vocab) const {
  return metrics::make_kernels(name, device, vocab, 1);
}

std::vector<Implementation> implementations() {
  std::vector<Implementation> all = {{"cpu", nullptr}};
  for (size_t i = 0; i < ggml_backend_dev_count(); ++i) {
    ggml_backend_dev_t device = ggml_backend_dev_get(i);
    if (ggml_backend_dev_type(device) == GGML_BACKEND_DEVICE_TYPE_ACCEL) continue;
    all.push_back({"graph", device});
    const std::string best = metrics::best_for(device);
    if (best != metrics::kCpu && best != "graph") all.push_back({best, device});
  }
  return all;
}

PlacedRows::PlacedRows(const Implementation& implementation, const std::vector<std::vector<float>>& rows)
    : host_(rows) {
  if (implementation.device == nullptr) return;
  tensor_ = headers_.new_tensor(rows.front().size(), rows.size());
  memory_.reset(ggml_backend_alloc_ctx_tensors_from_buft(
      headers_.get(), ggml_backend_dev_buffer_type(implementation.device)));
  for (size_t i = 0; i < rows.size(); ++i) {
    ggml_backend_tensor_set(tensor_, rows[i].data(), i * tensor_->nb[1], rows[i].size() * sizeof(float));
  }
}

metrics::Row PlacedRows::row(size_t index) const {
  if (tensor_ == nullptr) return {host_[index].data(), nullptr, 0};
  return {nullptr, tensor_, index};
}

void reduce_row(const metrics::Reducer& reducer, const metrics::Row& row, size_t vocab,
                const metrics::Request& request, const metrics::RowRecord& out) {
  std::vector<metrics::RowTask> tasks(1);
  tasks[0].row = row;
  tasks[0].record = true;
  tasks[0].out = out;
  reducer.reduce_rows(tasks, vocab, request);
  if (tasks[0].fault) throw Error(*tasks[0].fault);
}

void reduce_pair(const metrics::Reducer& reducer, const metrics::Row& a, const metrics::Row& b, size_t vocab,
                 const metrics::Request& request, const metrics::PairRecord& out) {
  std::vector<metrics::PairTask> tasks(1);
  tasks[0].a = a;
  tasks[0].b = b;
  tasks[0].out = out;
  reducer.reduce_pairs(tasks, vocab, request);
  if (tasks[0].fault) throw Error(*tasks[0].fault);
}

}  // namespace logit_audit::test
