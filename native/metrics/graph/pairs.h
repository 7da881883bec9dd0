// The graph of pair metrics.
#pragma once

#include "metrics/graph/runner.h"
#include "metrics/kernels.h"

namespace logit_audit::metrics::graph {

PairSums pair_sums(Runner& runner, const PairBatch& batch);

}  // namespace logit_audit::metrics::graph
