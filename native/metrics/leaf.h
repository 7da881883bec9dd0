// Tensors that stand for memory: a small context for their headers, and a fresh leaf over rows that somebody
// else's graph left behind. The tensor that was seen in that graph must not be used itself: it drags the
// whole graph behind it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ggml-alloc.h"
#include "ggml-backend.h"
#include "ggml.h"

namespace logit_audit::metrics {

// Headers of a few tensors, without memory for what they hold.
class Tensors {
 public:
  // `more` bytes are for what else is put into the context, such as a graph.
  explicit Tensors(size_t tensors, size_t more = 0)
      : context_(ggml_init({tensors * ggml_tensor_overhead() + more, nullptr, true})) {}
  ggml_context* get() const { return context_.get(); }
  ggml_tensor* new_tensor(size_t width, size_t rows) const {
    return ggml_new_tensor_2d(get(), GGML_TYPE_F32, static_cast<int64_t>(width), static_cast<int64_t>(rows));
  }

 private:
  struct Free {
    void operator()(ggml_context* context) const { ggml_free(context); }
  };
  std::unique_ptr<ggml_context, Free> context_;
};

// Makes a leaf over rows [first, first + rows) of a contiguous tensor of F32, in a context of the caller's.
inline ggml_tensor* leaf_over(ggml_context* context, const ggml_tensor& of, size_t first, size_t rows) {
  ggml_tensor* leaf = ggml_new_tensor_2d(context, GGML_TYPE_F32, of.ne[0], static_cast<int64_t>(rows));
  // A view has none of its own.
  leaf->buffer = of.buffer == nullptr && of.view_src != nullptr ? of.view_src->buffer : of.buffer;
  leaf->data = static_cast<char*>(of.data) + first * of.nb[1];
  return leaf;
}

// A leaf with a context of its own.
class Leaf {
 public:
  Leaf(const ggml_tensor& of, size_t first, size_t rows)
      : headers_(1), leaf_(leaf_over(headers_.get(), of, first, rows)) {}
  ggml_tensor* get() const { return leaf_; }

 private:
  Tensors headers_;
  ggml_tensor* leaf_;
};

}  // namespace logit_audit::metrics
