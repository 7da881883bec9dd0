// Row and pair metrics as ggml graphs, on any backend that holds logits: CUDA, Metal, Vulkan, and the CPU,
// where they are tested. Slower than kernels of one's own, which need one sweep where a graph takes dozens,
// and the same to 1e-6. docs/design/tap.md tells how float32 operations keep that.
#pragma once

#include <memory>

#include "ggml-backend.h"
#include "metrics/kernels.h"

namespace logit_audit::metrics {

// For rows in the memory of `device`, `vocab` logits each. `threads` is for the CPU's backend. Throws
// engine_failed where the device cannot be used, or has no memory left.
std::unique_ptr<Kernels> make_graph_kernels(ggml_backend_dev_t device, size_t vocab, int threads);

// What they take for a vocabulary of this size, known before there is a device.
Footprint graph_footprint(size_t vocab);

}  // namespace logit_audit::metrics
