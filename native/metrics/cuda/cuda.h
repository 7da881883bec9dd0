// Row and pair metrics by kernels of our own, for logits in a CUDA device's memory: one launch for the rows
// of a call (two where rows have several targets), one for its pairs, and no temporary of a vocabulary's
// width. Compiled for every architecture that is asked; what was run where stands in docs/devices.md.
#pragma once

#include <memory>

#include "ggml-backend.h"
#include "metrics/kernels.h"

namespace logit_audit::metrics {

// For rows of `vocab` logits in the memory of `device`. Throws engine_failed where CUDA cannot be used.
std::unique_ptr<Kernels> make_cuda_kernels(ggml_backend_dev_t device, size_t vocab, int threads);

// The same for CUDA's own number of a device: a benchmark has no llama.cpp that knows it.
std::unique_ptr<Kernels> make_cuda_kernels_on(int device, size_t vocab);

// What they take: what comes back of a row or a pair.
Footprint cuda_footprint(size_t vocab);

}  // namespace logit_audit::metrics
