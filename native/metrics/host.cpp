// Tasks on rows in host memory, one by one.
#include <utility>

#include "metrics/metrics.h"

namespace logit_audit::metrics {

void HostReducer::reduce_rows(std::vector<RowTask>& tasks, size_t vocab, const Request& request) const {
  std::vector<float> buffer;
  for (RowTask& task : tasks) {
    try {
      const float* logits = host_logits(task.row, vocab, buffer);
      if (task.target != kNoTarget) reduce_target(logits, vocab, task.target, task.target_out);
      if (task.record) reduce_row(logits, vocab, request, task.out);
    } catch (const Error& error) {
      task.fault = error;
    }
  }
}

void HostReducer::reduce_pairs(std::vector<PairTask>& tasks, size_t vocab, const Request& request) const {
  std::vector<float> buffer_a;
  std::vector<float> buffer_b;
  for (PairTask& task : tasks) {
    try {
      const float* a = host_logits(task.a, vocab, buffer_a);
      const float* b = host_logits(task.b, vocab, buffer_b);
      reduce_pair(a, b, vocab, request, task.out);
    } catch (const Error& error) {
      task.fault = error;
    }
  }
}

}  // namespace logit_audit::metrics
