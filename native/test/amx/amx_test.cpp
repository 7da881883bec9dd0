// llama.cpp's AMX kernels (ggml-cpu/amx/mmq.cpp, compiled as the build does for a processor with AMX) against
// products in float64: on this machine's AMX, else on an emulated one.
#include <sys/syscall.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "ggml-cpu.h"
#include "ggml-cpu/amx/mmq.h"
#include "ggml.h"
#include "test/amx/emulator.h"
#include "test/check.h"

namespace logit_audit::test {

namespace {

constexpr int kInputs = 512;   // two blocks of the K-quants
constexpr int kOutputs = 128;  // the widest block of the kernel for one column is 128, of the tiles' 32

// Weights are float32 sums of at most kInputs products, scales are float16 values that both sides read.
constexpr double kRelativeTolerance = 1e-5;

struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
using Aligned = std::unique_ptr<void, FreeMemory>;

Aligned aligned(size_t bytes) { return Aligned(std::aligned_alloc(64, (bytes + 63) / 64 * 64)); }

// Integers of which each block of 32 holds +-127: rounded to 8 bits they stay what they are, so that all that
// a product may lose is float32's rounding.
std::vector<float> exact_activations(int columns, std::mt19937& random) {
  std::uniform_int_distribution<int> integers(-127, 127);
  std::vector<float> values(static_cast<size_t>(columns) * kInputs);
  for (size_t i = 0; i < values.size(); ++i) {
    const int value = integers(random);
    values[i] = static_cast<float>(i % 32 == 5 ? (value < 0 ? -127 : 127) : value);
  }
  return values;
}

// A pool learns how many threads it has when it computes a graph: before that its barriers never open.
ggml_threadpool* one_thread() {
  static ggml_threadpool* const pool = [] {
    ggml_threadpool_params params = ggml_threadpool_params_default(1);
    ggml_threadpool* made = ggml_threadpool_new(&params);
    const std::unique_ptr<ggml_context, decltype(&ggml_free)> context(ggml_init({1 << 20, nullptr, true}),
                                                                      ggml_free);
    ggml_cgraph* nothing = ggml_new_graph(context.get());
    ggml_cplan plan = ggml_graph_plan(nothing, 1, made);
    ggml_graph_compute(nothing, &plan);
    return made;
  }();
  return pool;
}

void check_product(ggml_type type, int columns) {
  std::mt19937 random(static_cast<uint32_t>(type) * 1000U + static_cast<uint32_t>(columns));
  std::normal_distribution<float> normal;
  std::vector<float> weights(static_cast<size_t>(kOutputs) * kInputs);
  for (float& w : weights) w = normal(random);
  const size_t row_bytes = ggml_row_size(type, kInputs);
  std::vector<uint8_t> quantised(row_bytes * kOutputs);
  ggml_quantize_chunk(type, weights.data(), quantised.data(), 0, kOutputs, kInputs, nullptr);
  for (int n = 0; n < kOutputs; ++n) {
    ggml_get_type_traits(type)->to_float(&quantised[n * row_bytes],
                                         &weights[static_cast<size_t>(n) * kInputs], kInputs);
  }
  std::vector<float> activations = exact_activations(columns, random);

  std::unique_ptr<ggml_context, decltype(&ggml_free)> context(ggml_init({1 << 16, nullptr, true}), ggml_free);
  ggml_tensor* w = ggml_new_tensor_2d(context.get(), type, kInputs, kOutputs);
  ggml_tensor* x = ggml_new_tensor_2d(context.get(), GGML_TYPE_F32, kInputs, columns);
  ggml_tensor* product = ggml_mul_mat(context.get(), w, x);
  std::vector<float> measured(static_cast<size_t>(kOutputs) * columns, NAN);
  const Aligned packed = aligned(ggml_backend_amx_get_alloc_size(w));
  w->data = packed.get();
  x->data = activations.data();
  product->data = measured.data();
  ggml_backend_amx_convert_weight(w, quantised.data(), 0, ggml_nbytes(w));
  const size_t work_bytes = ggml_backend_amx_desired_wsize(product);
  const Aligned work = aligned(work_bytes);
  const ggml_compute_params params = {0, 1, work_bytes, work.get(), one_thread(), false};
  ggml_backend_amx_mul_mat(&params, product);

  double worst = 0;
  for (int m = 0; m < columns; ++m) {
    for (int n = 0; n < kOutputs; ++n) {
      double sum = 0;
      double size = 0;
      for (int k = 0; k < kInputs; ++k) {
        const double term = static_cast<double>(weights[static_cast<size_t>(n) * kInputs + k]) *
                            activations[static_cast<size_t>(m) * kInputs + k];
        sum += term;
        size += std::fabs(term);
      }
      const double off = std::fabs(measured[static_cast<size_t>(m) * kOutputs + n] - sum) / size;
      // A NaN is no number that is smaller: it must not be passed over.
      if (!(off <= worst)) worst = off;
    }
  }
  CHECK_NEAR(worst, 0, kRelativeTolerance);
}

bool processor_has_tiles() {
  constexpr int kRequestPermission = 0x1023, kTileData = 18;
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace

TEST("AMX kernels of every weight type against float64, for every shape of tiles") {
  if (!__builtin_cpu_supports("avx512vnni") || !__builtin_cpu_supports("avx512vbmi2")) {
    return skip("this processor lacks AVX-512 VNNI, which the AMX kernels use too");
  }
  const bool real = processor_has_tiles();
  if (!real) emulate_amx();
  for (const ggml_type type : {GGML_TYPE_Q4_0, GGML_TYPE_Q4_1, GGML_TYPE_Q8_0, GGML_TYPE_Q4_K, GGML_TYPE_Q5_K,
                               GGML_TYPE_Q6_K, GGML_TYPE_IQ4_XS}) {
    // One column has a kernel of its own; the others fill one tile, part of one, two, and more than two.
    for (const int columns : {1, 2, 16, 17, 32, 40}) check_product(type, columns);
  }
  CHECK(real || emulated_instructions() > 1000);
}

}  // namespace logit_audit::test
