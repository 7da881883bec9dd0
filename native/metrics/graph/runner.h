// Runs graphs on a device: a backend of its own beside llama.cpp's, memory that is kept from graph to graph,
// and the constants that every graph over a vocabulary reads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "ggml-alloc.h"
#include "ggml-backend.h"
#include "metrics/graph/ops.h"
#include "metrics/leaf.h"

namespace logit_audit::metrics::graph {

class Runner {
 public:
  Runner(ggml_backend_dev_t device, size_t vocab, int threads);

  // Falls by one from token to token, ends above 0: every number exact in float32. [padded vocabulary].
  ggml_tensor* ramp() const { return ramp_; }
  // 0 for tokens, -inf for padding; null where the vocabulary needs none.
  ggml_tensor* mask() const { return mask_; }
  // exp(-k / 4) for k from 0. [kPowers].
  ggml_tensor* powers() const { return powers_; }
  size_t vocab() const { return vocab_; }

  // A graph being made: inputs with what they are to hold, and one output.
  class Draft {
   public:
    explicit Draft(size_t nodes);
    ggml_context* context() const { return headers_.get(); }
    ggml_tensor* leaf(const ggml_tensor& of, size_t first, size_t rows) const {
      return leaf_over(context(), of, first, rows);
    }
    ggml_tensor* input(const std::vector<float>& values, std::vector<int64_t> shape);
    ggml_tensor* input(const std::vector<int32_t>& values, std::vector<int64_t> shape);

   private:
    friend class Runner;
    ggml_tensor* input(ggml_type type, const void* values, std::vector<int64_t> shape);
    Tensors headers_;
    size_t nodes_;
    std::vector<std::pair<ggml_tensor*, std::vector<char>>> inputs_;
  };

  // Computes `output`, [width, rows], and gives it row by row. Throws engine_failed where the device lacks an
  // operation or memory, or could not compute.
  std::vector<float> run(const Draft& draft, ggml_tensor* output);

  // Bytes that the graphs so far took at once.
  size_t memory() const;

 private:
  struct FreeBackend {
    void operator()(ggml_backend_t backend) const { ggml_backend_free(backend); }
  };
  struct FreeBuffer {
    void operator()(ggml_backend_buffer_t buffer) const { ggml_backend_buffer_free(buffer); }
  };
  struct FreeAllocator {
    void operator()(ggml_gallocr_t allocator) const { ggml_gallocr_free(allocator); }
  };

  size_t vocab_;
  std::unique_ptr<ggml_backend, FreeBackend> backend_;
  std::unique_ptr<ggml_gallocr, FreeAllocator> allocator_;
  Tensors constants_;
  std::unique_ptr<ggml_backend_buffer, FreeBuffer> constants_memory_;
  ggml_tensor* ramp_ = nullptr;
  ggml_tensor* mask_ = nullptr;
  ggml_tensor* powers_ = nullptr;
};

}  // namespace logit_audit::metrics::graph
