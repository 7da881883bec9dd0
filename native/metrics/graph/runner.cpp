#include "metrics/graph/runner.h"

#include <cmath>
#include <cstring>
#include <string>

#include "error.h"

namespace logit_audit::metrics::graph {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw Error(Code::kEngineFailed,
              "the metrics on the device failed: " + what + "; take --metrics-impl cpu, or lower --batch");
}

void set_threads(ggml_backend_t backend, ggml_backend_dev_t device, int threads) {
  ggml_backend_reg_t driver = ggml_backend_dev_backend_reg(device);
  void* found = ggml_backend_reg_get_proc_address(driver, "ggml_backend_set_n_threads");
  if (found == nullptr) return;
  reinterpret_cast<ggml_backend_set_n_threads_t>(found)(backend, threads);
}

}  // namespace

Runner::Runner(ggml_backend_dev_t device, size_t vocab, int threads)
    : vocab_(vocab), backend_(ggml_backend_dev_init(device, nullptr)), constants_(3) {
  if (!backend_) fail(std::string("no backend on ") + ggml_backend_dev_name(device));
  set_threads(backend_.get(), device, threads);
  const ggml_backend_buffer_type_t memory = ggml_backend_dev_buffer_type(device);
  allocator_.reset(ggml_gallocr_new(memory));
  const auto width = static_cast<size_t>(pad_vocab(static_cast<int64_t>(vocab)));
  ramp_ = constants_.new_tensor(width, 1);
  powers_ = constants_.new_tensor(kPowers, 1);
  if (width != vocab) mask_ = constants_.new_tensor(width, 1);
  constants_memory_.reset(ggml_backend_alloc_ctx_tensors_from_buft(constants_.get(), memory));
  if (!constants_memory_) fail("no memory for the vocabulary's constants");
  std::vector<float> values(kPowers);
  for (size_t k = 0; k < kPowers; ++k) values[k] = static_cast<float>(std::exp(-static_cast<double>(k) / 4));
  ggml_backend_tensor_set(powers_, values.data(), 0, kPowers * sizeof(float));
  values.resize(width);
  for (size_t i = 0; i < width; ++i) values[i] = static_cast<float>(width - i);
  ggml_backend_tensor_set(ramp_, values.data(), 0, width * sizeof(float));
  if (mask_ == nullptr) return;
  for (size_t i = 0; i < width; ++i) values[i] = i < vocab ? 0 : -INFINITY;
  ggml_backend_tensor_set(mask_, values.data(), 0, width * sizeof(float));
}

Runner::Draft::Draft(size_t nodes)
    : headers_(2 * nodes, ggml_graph_overhead_custom(nodes, false)), nodes_(nodes) {}

ggml_tensor* Runner::Draft::input(ggml_type type, const void* values, std::vector<int64_t> shape) {
  ggml_tensor* tensor = ggml_new_tensor(context(), type, static_cast<int>(shape.size()), shape.data());
  ggml_set_input(tensor);
  const char* bytes = static_cast<const char*>(values);
  inputs_.emplace_back(tensor, std::vector<char>(bytes, bytes + ggml_nbytes(tensor)));
  return tensor;
}

ggml_tensor* Runner::Draft::input(const std::vector<float>& values, std::vector<int64_t> shape) {
  return input(GGML_TYPE_F32, values.data(), std::move(shape));
}

ggml_tensor* Runner::Draft::input(const std::vector<int32_t>& values, std::vector<int64_t> shape) {
  return input(GGML_TYPE_I32, values.data(), std::move(shape));
}

std::vector<float> Runner::run(const Draft& draft, ggml_tensor* output) {
  ggml_cgraph* graph = ggml_new_graph_custom(draft.context(), draft.nodes_, false);
  ggml_set_output(output);
  ggml_build_forward_expand(graph, output);
  for (int i = 0; i < ggml_graph_n_nodes(graph); ++i) {
    const ggml_tensor* node = ggml_graph_node(graph, i);
    if (!ggml_backend_supports_op(backend_.get(), node)) {
      fail(std::string(ggml_backend_name(backend_.get())) + " cannot do " + ggml_op_desc(node));
    }
  }
  if (!ggml_gallocr_alloc_graph(allocator_.get(), graph)) fail("no memory for its sums");
  for (const auto& [tensor, bytes] : draft.inputs_) {
    // An input that nothing reads has no memory.
    if (tensor->buffer != nullptr) ggml_backend_tensor_set(tensor, bytes.data(), 0, bytes.size());
  }
  if (ggml_backend_graph_compute(backend_.get(), graph) != GGML_STATUS_SUCCESS) fail("no result");
  std::vector<float> values(static_cast<size_t>(ggml_nelements(output)));
  ggml_backend_tensor_get(output, values.data(), 0, values.size() * sizeof(float));
  return values;
}

size_t Runner::memory() const { return ggml_gallocr_get_buffer_size(allocator_.get(), 0); }

}  // namespace logit_audit::metrics::graph
