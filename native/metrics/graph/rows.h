// The graph of row metrics.
#pragma once

#include "metrics/graph/runner.h"
#include "metrics/kernels.h"

namespace logit_audit::metrics::graph {

RowSums row_sums(Runner& runner, const RowBatch& batch);

}  // namespace logit_audit::metrics::graph
