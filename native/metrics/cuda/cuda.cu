#include <algorithm>
#include <cstring>
#include <utility>

#include "ggml.h"
#include "metrics/columns.h"
#include "metrics/cuda/cuda.h"
#include "metrics/cuda/memory.cuh"
#include "metrics/cuda/pairs.cuh"
#include "metrics/cuda/rows.cuh"
#include "metrics/pair_scale.h"

namespace logit_audit::metrics {

namespace {

using cuda::check;

// Numbers that a row, or a pair, may send back, groups aside: their masses are a number each.
constexpr size_t kMostNumbers = 2 * 1024;

class CudaKernels final : public Kernels {
 public:
  CudaKernels(int device, size_t vocab) : device_(device), vocab_(vocab) {
    check(cudaSetDevice(device_), "take the device");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "make a stream");
  }
  ~CudaKernels() override {
    cudaSetDevice(device_);
    cudaStreamDestroy(stream_);
  }
  CudaKernels(const CudaKernels&) = delete;
  CudaKernels& operator=(const CudaKernels&) = delete;

  std::string name() const override { return "cuda"; }
  size_t most_top() const override { return cuda::kMostTop; }
  Footprint footprint() const override { return cuda_footprint(vocab_); }

  RowSums rows(const RowBatch& batch) override {
    check(cudaSetDevice(device_), "take the device");
    const size_t groups = batch.groups == nullptr ? 0 : batch.groups->groups();
    std::vector<int32_t> offsets;
    cuda::RowArgs args{};
    args.logits = static_cast<const float*>(batch.tensor->data) + batch.first * vocab_;
    args.rows = static_cast<int>(batch.count);
    args.vocab = static_cast<int>(vocab_);
    args.top = static_cast<int>(batch.top);
    args.groups = static_cast<int>(groups);
    if (groups > 0) {
      offsets.assign(batch.groups->group_offsets.begin(), batch.groups->group_offsets.end());
      args.group_ids = group_ids_.put(batch.groups->group_ids, stream_);
      args.group_offsets = group_offsets_.put(offsets, stream_);
    }
    args.targets = targets_.put(batch.targets, stream_);
    args.targets_per_row = static_cast<int>(batch.targets_per_row);
    const auto columns = static_cast<size_t>(cuda::row_columns(args));
    args.out = out_.reserve(batch.count * columns);
    check(cuda::launch_rows(args, stream_), "start the row kernel");
    const std::vector<float> values = fetch(batch.count * columns);

    Columns table(values, columns);
    RowSums sums;
    sums.check = table.next();
    sums.max = table.next();
    sums.below = table.next();
    sums.rest = table.next();
    sums.weighted = table.next();
    sums.masses = table.next(groups);
    sums.top_logits = table.next(batch.top);
    for (const float bits : table.next(batch.top)) {
      int32_t id = 0;
      std::memcpy(&id, &bits, sizeof(id));
      sums.top_ids.push_back(id);
    }
    sums.target_logits = table.next(batch.targets_per_row);
    sums.larger = table.next(batch.targets_per_row);
    return sums;
  }

  PairSums pairs(const PairBatch& batch) override {
    check(cudaSetDevice(device_), "take the device");
    std::vector<lane::PairScale> scales;
    for (size_t i = 0; i < batch.count(); ++i) scales.push_back(scale_of(batch.a[i], batch.b[i]));
    cuda::PairArgs args{};
    args.logits_a = static_cast<const float*>(batch.tensor_a->data);
    args.logits_b = static_cast<const float*>(batch.tensor_b->data);
    args.pairs = static_cast<int>(batch.count());
    args.vocab = static_cast<int>(vocab_);
    args.rows_a = rows_a_.put(batch.rows_a, stream_);
    args.rows_b = rows_b_.put(batch.rows_b, stream_);
    args.scales = scales_.put(scales, stream_);
    args.member_ids = member_ids_.put(batch.member_ids, stream_);
    args.members = static_cast<int>(batch.members);
    const auto columns = static_cast<size_t>(cuda::pair_columns(args));
    args.out = out_.reserve(batch.count() * columns);
    check(cuda::launch_pairs(args, stream_), "start the pair kernel");
    const std::vector<float> values = fetch(batch.count() * columns);

    Columns table(values, columns);
    PairSums sums;
    for (std::vector<float>* column :
         {&sums.jsd, &sums.kl_pq, &sums.kl_qp, &sums.down, &sums.up, &sums.p, &sums.q, &sums.far}) {
      *column = table.next();
    }
    sums.member_logits_a = table.next(batch.members);
    sums.member_logits_b = table.next(batch.members);
    return sums;
  }

 private:
  std::vector<float> fetch(size_t count) {
    std::vector<float> values(count);
    check(cudaMemcpyAsync(values.data(), out_.data(), count * sizeof(float), cudaMemcpyDeviceToHost, stream_),
          "copy from the device");
    check(cudaStreamSynchronize(stream_), "finish the metrics");
    return values;
  }

  int device_;
  size_t vocab_;
  cudaStream_t stream_ = nullptr;
  cuda::DeviceArray<int32_t> group_ids_;
  cuda::DeviceArray<int32_t> group_offsets_;
  cuda::DeviceArray<int32_t> targets_;
  cuda::DeviceArray<int32_t> rows_a_;
  cuda::DeviceArray<int32_t> rows_b_;
  cuda::DeviceArray<int32_t> member_ids_;
  cuda::DeviceArray<lane::PairScale> scales_;
  cuda::DeviceArray<float> out_;
};

}  // namespace

Footprint cuda_footprint(size_t) {
  const size_t bytes = kMostNumbers * sizeof(float);
  return {bytes, bytes};
}

std::unique_ptr<Kernels> make_cuda_kernels(ggml_backend_dev_t device, size_t vocab, int) {
  ggml_backend_dev_props properties{};
  ggml_backend_dev_get_props(device, &properties);
  int index = 0;
  // Both count devices in an order of their own.
  if (properties.device_id == nullptr) check(cudaErrorInvalidDevice, "tell which device llama.cpp means");
  check(cudaDeviceGetByPCIBusId(&index, properties.device_id), "find the device that llama.cpp computes on");
  return make_cuda_kernels_on(index, vocab);
}

std::unique_ptr<Kernels> make_cuda_kernels_on(int device, size_t vocab) {
  return std::make_unique<CudaKernels>(device, vocab);
}

}  // namespace logit_audit::metrics
