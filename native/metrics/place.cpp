#include "metrics/place.h"

#include <string>
#include <utility>

#include "error.h"
#include "ggml-backend.h"
#include "ggml.h"
#include "metrics/leaf.h"

namespace logit_audit::metrics {

namespace {

class HostCopy final : public KeptRow {
 public:
  HostCopy(const float* logits, size_t vocab) : logits_(logits, logits + vocab) {}
  Row row() const override { return {logits_.data(), nullptr, 0}; }

 private:
  std::vector<float> logits_;
};

class DeviceCopy final : public KeptRow {
 public:
  DeviceCopy(const Row& from, size_t vocab) : place_(2), copy_(place_.new_tensor(vocab, 1)) {
    const ggml_backend_buffer_type_t type = ggml_backend_buffer_get_type(from.tensor->buffer);
    buffer_.reset(ggml_backend_alloc_ctx_tensors_from_buft(place_.get(), type));
    if (!buffer_) {
      throw Error(Code::kEngineFailed, "the device has no memory left for one more row of " +
                                           std::to_string(vocab) + " logits; lower --batch or --ctx");
    }
    Leaf source(*from.tensor, from.index, 1);
    ggml_backend_tensor_copy(source.get(), copy_);
  }
  Row row() const override { return {nullptr, copy_, 0}; }

 private:
  struct Free {
    void operator()(ggml_backend_buffer_t buffer) const { ggml_backend_buffer_free(buffer); }
  };
  Tensors place_;
  ggml_tensor* copy_;
  std::unique_ptr<ggml_backend_buffer, Free> buffer_;
};

}  // namespace

const float* host_logits(const Row& row, size_t vocab, std::vector<float>& buffer) {
  if (row.host != nullptr) return row.host;
  buffer.resize(vocab);
  ggml_backend_tensor_get(row.tensor, buffer.data(), row.index * row.tensor->nb[1], vocab * sizeof(float));
  return buffer.data();
}

std::unique_ptr<KeptRow> keep_row(const Row& row, size_t vocab) {
  if (row.host != nullptr) return std::make_unique<HostCopy>(row.host, vocab);
  return std::make_unique<DeviceCopy>(row, vocab);
}

}  // namespace logit_audit::metrics
