// What a benchmark puts in the reducer's place. How much of an audit's time goes into the numbers can only be
// measured by leaving them out: the same requests, plan, passes and output head, and rows that nobody
// reduces. Nothing but the addon's own openModel offers these; no number ever comes from them.
#pragma once

#include <vector>

#include "metrics/metrics.h"

namespace logit_audit::metrics {

// Looks at no row. Its records are NaN, so that none can be taken for a measurement.
class DiscardReducer : public HostReducer {
 public:
  std::string name() const override { return "discard"; }
  void check(const Request&, size_t) const override {}

 protected:
  void reduce_row(const float* row, size_t vocab, const Request& request, RowRecord out) const override;
  void reduce_target(const float* row, size_t vocab, int32_t target, TargetRecord out) const override;
  void reduce_pair(const float* a, const float* b, size_t vocab, const Request& request,
                   PairRecord out) const override;
};

// Keeps the rows of probes for a caller that wants logits and does its own sums, as bindings of llama.cpp
// hand them out. One copy of each row, the least that gets them out of llama.cpp's buffer.
class CopyReducer final : public DiscardReducer {
 public:
  std::string name() const override { return "copy"; }

  // The rows kept so far, one after the other in the order in which they were decoded, and none kept any
  // more.
  std::vector<float> take();

 protected:
  void reduce_row(const float* row, size_t vocab, const Request& request, RowRecord out) const override;

 private:
  // The engine reduces from one thread at a time, through a const reducer.
  mutable std::vector<float> rows_;
};

// "cpu", "discard" or "copy"; throws bad_argument for any other name.
std::unique_ptr<Reducer> make_reducer(const std::string& name);

}  // namespace logit_audit::metrics
