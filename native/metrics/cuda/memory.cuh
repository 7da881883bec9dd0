// Calls of CUDA that are checked, and memory that frees itself.
#pragma once

#include <cuda_runtime.h>

#include <string>
#include <vector>

#include "error.h"

namespace logit_audit::metrics::cuda {

// Throws engine_failed with CUDA's own reason.
inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  const std::string advice = status == cudaErrorMemoryAllocation ? "; lower --batch or --ctx" : "";
  throw Error(Code::kEngineFailed, std::string("CUDA could not ") + what + ": " + cudaGetErrorString(status) +
                                       advice + "; --metrics-impl graph or cpu does without these kernels");
}

// Memory of a device that grows with what is put into it.
template <typename T>
class DeviceArray {
 public:
  DeviceArray() = default;
  ~DeviceArray() { cudaFree(data_); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  T* reserve(size_t count) {
    if (count <= capacity_) return data_;
    check(cudaFree(data_), "free memory");
    data_ = nullptr;
    capacity_ = 0;
    check(cudaMalloc(&data_, count * sizeof(T)), "get memory for metrics");
    capacity_ = count;
    return data_;
  }

  // Copies on the stream. The values must stay until it is done.
  const T* put(const std::vector<T>& values, cudaStream_t stream) {
    if (values.empty()) return data_;
    reserve(values.size());
    check(cudaMemcpyAsync(data_, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice, stream),
          "copy to the device");
    return data_;
  }

  const T* data() const { return data_; }

 private:
  T* data_ = nullptr;
  size_t capacity_ = 0;
};

}  // namespace logit_audit::metrics::cuda
