// Where a row of logits lies, and how it comes to be elsewhere: into host memory for what must see it whole,
// or into memory of its own beside it for a pair whose other side comes later.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

struct ggml_tensor;

namespace logit_audit::metrics {

// A row of logits where it lies: `vocab` floats in host memory, or a row of a tensor [vocab, rows] of F32 in
// a device's memory. Valid as long as what it points to.
struct Row {
  const float* host = nullptr;
  const ggml_tensor* tensor = nullptr;
  size_t index = 0;
};

// The row in host memory: where it is, or copied into `buffer` from its device.
const float* host_logits(const Row& row, size_t vocab, std::vector<float>& buffer);

// A copy of a row, where the row is.
class KeptRow {
 public:
  virtual ~KeptRow() = default;
  virtual Row row() const = 0;
};

// Throws engine_failed where the device has no memory left.
std::unique_ptr<KeptRow> keep_row(const Row& row, size_t vocab);

}  // namespace logit_audit::metrics
