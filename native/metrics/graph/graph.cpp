#include "metrics/graph/graph.h"

#include "metrics/graph/pairs.h"
#include "metrics/graph/rows.h"
#include "metrics/graph/runner.h"

namespace logit_audit::metrics {

namespace {

using graph::Runner;

// How many matrices of a vocabulary's width a graph holds at once, at most: what its memory was measured to
// be (native/test/graph_test.cpp holds it), and one for what is rounded up.
constexpr size_t kRowMatrices = 8;
constexpr size_t kPairMatrices = 16;

// A search of more steps than this makes more nodes than rows are worth.
constexpr size_t kMostTop = 64;

class GraphKernels final : public Kernels {
 public:
  GraphKernels(ggml_backend_dev_t device, size_t vocab, int threads) : runner_(device, vocab, threads) {}

  std::string name() const override { return "graph"; }
  size_t most_top() const override { return kMostTop; }
  Footprint footprint() const override { return graph_footprint(runner_.vocab()); }
  RowSums rows(const RowBatch& batch) override { return graph::row_sums(runner_, batch); }
  PairSums pairs(const PairBatch& batch) override { return graph::pair_sums(runner_, batch); }

 private:
  Runner runner_;
};

}  // namespace

Footprint graph_footprint(size_t vocab) {
  const size_t matrix = sizeof(float) * static_cast<size_t>(graph::pad_vocab(static_cast<int64_t>(vocab)));
  return {kRowMatrices * matrix, kPairMatrices * matrix};
}

std::unique_ptr<Kernels> make_graph_kernels(ggml_backend_dev_t device, size_t vocab, int threads) {
  return std::make_unique<GraphKernels>(device, vocab, threads);
}

}  // namespace logit_audit::metrics
