// Where the rows of a context are reduced: in host memory, or on the device that computes them. What was
// asked, what it came to and why, and the memory it takes.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/device_tap.h"
#include "engine/model.h"
#include "metrics/device.h"

namespace logit_audit {

class MetricsPlace {
 public:
  // What a context needs to know of itself for this.
  struct Shape {
    uint32_t sequences = 0;
    uint32_t outputs = 0;
    int threads = 1;
  };

  // `asked`: "auto", which is on the device where an accelerator computes the logits, else the cpu kernels;
  // or an implementation's name. Throws bad_argument for one that this build lacks.
  MetricsPlace(const Model& model, const std::string& asked, const Shape& shape, TapFault fault);

  // Before the context is made.
  void install(llama_context_params& params);
  // Once it is made: decodes two tokens some times and holds everything that the tap stands on against what
  // it must be. Where something is amiss, rows are taken in host memory, and warning() says why. Throws
  // engine_failed where the device has no memory for metrics.
  void try_out(llama_context* context);

  // Null where rows are in host memory.
  DeviceTap* tap() const { return on_device_ ? tap_.get() : nullptr; }
  const metrics::Reducer& reducer() const { return *reducer_; }
  // Empty unless something else was wanted than what is done.
  const std::string& warning() const { return warning_; }
  // Bytes that metrics take on the device.
  size_t memory() const { return memory_; }

 private:
  void fall_back(llama_context* context, const std::string& why);
  // Decodes until rows lie on the device alone, and gives them. Throws engine_failed where they do not.
  const ggml_tensor& tried_rows(llama_context* context, std::vector<float>& host_copy);
  std::unique_ptr<metrics::DeviceReducer> make_reducer(const ggml_tensor& logits) const;

  const Model& model_;
  std::string asked_;
  Shape shape_;
  std::unique_ptr<DeviceTap> tap_;
  bool on_device_ = false;
  std::unique_ptr<metrics::Reducer> reducer_;
  std::string warning_;
  size_t memory_ = 0;
};

}  // namespace logit_audit
