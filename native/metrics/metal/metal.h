// Row and pair metrics by kernels of our own, for logits in memory that a Metal device shares with the host.
// Never compiled nor run so far (docs/devices.md): in a build for Metal, where they compile (Metal.cmake).
#pragma once

#include <memory>

#include "ggml-backend.h"
#include "metrics/kernels.h"

namespace logit_audit::metrics {

// For rows of `vocab` logits. Throws engine_failed where there is no Metal device or no kernel library.
std::unique_ptr<Kernels> make_metal_kernels(ggml_backend_dev_t device, size_t vocab, int threads);

// What they take: what comes back of a row or a pair.
Footprint metal_footprint(size_t vocab);

}  // namespace logit_audit::metrics
