// The CUDA kernels on a card, without llama.cpp's CUDA library, which takes many times as long to build:
// right or wrong against the cpu kernels, and how fast against the card's own copy of as many bytes. A line
// of JSON for each result; built and run by bench/device.sh.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "ggml.h"
#include "metrics/cuda/cuda.h"
#include "metrics/cuda/memory.cuh"
#include "metrics/cuda/pairs.cuh"
#include "metrics/cuda/rows.cuh"
#include "metrics/device.h"

namespace logit_audit::bench {

namespace {

using metrics::cuda::check;
using metrics::cuda::DeviceArray;

constexpr int kRows = 512;
constexpr int kTop = 20;
constexpr int kGroups = 3;
constexpr int kGroupIds = 100;
constexpr int kMembers = 40;
constexpr int kRounds = 21;
constexpr int kCheckedRows = 16;

int failures = 0;

// Logits as models have them, and neighbours that differ as the sides of a pair do.
std::vector<float> random_rows(size_t rows, size_t vocab, uint32_t seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> out(rows * vocab);
  for (size_t i = 0; i < vocab; ++i) out[i] = 3 * normal(random);
  for (size_t i = vocab; i < out.size(); ++i) out[i] = out[i % vocab] + 0.5F * normal(random);
  return out;
}

metrics::Request everything(size_t vocab) {
  metrics::Request request;
  for (int group = 0; group < kGroups; ++group) {
    for (int i = 0; i < kGroupIds; ++i) {
      request.group_ids.push_back(
          static_cast<int32_t>((static_cast<size_t>(group) * kGroupIds + i) * 7 % vocab));
    }
    request.group_offsets.push_back(request.group_ids.size());
  }
  request.top_k = kTop;
  request.pair_top_k = {5, kTop};
  return request;
}

// Everything that is asked of `rows` rows and of each with the next.
struct Results {
  std::vector<double> values;
  std::vector<int64_t> whole;
};

Results measure(const metrics::Reducer& reducer, const std::vector<metrics::Row>& rows, size_t vocab) {
  const metrics::Request request = everything(vocab);
  const size_t n = rows.size();
  std::vector<double> row(n * (3 + kGroups + kTop));
  std::vector<double> pair(n * (4 + 3 * 2));
  std::vector<int32_t> ids(n * kTop);
  std::vector<uint32_t> ranks(n);
  std::vector<uint32_t> unions(n * 2);
  std::vector<metrics::RowTask> tasks(n);
  std::vector<metrics::PairTask> pairs(n - 1);
  for (size_t i = 0; i < n; ++i) {
    double* at = row.data() + i * (3 + kGroups + kTop);
    tasks[i].row = rows[i];
    tasks[i].record = true;
    tasks[i].out = {at, at + 1, at + 3, ids.data() + i * kTop, at + 3 + kGroups};
    tasks[i].target = static_cast<int32_t>(i * 977 % vocab);
    tasks[i].target_out = {at + 2, &ranks[i]};
    if (i + 1 == n) continue;
    double* of_pair = pair.data() + i * 10;
    pairs[i].a = rows[i];
    pairs[i].b = rows[i + 1];
    pairs[i].out = {of_pair,     of_pair + 1, of_pair + 2, of_pair + 3, unions.data() + 2 * i,
                    of_pair + 4, of_pair + 6, of_pair + 8};
  }
  reducer.reduce_rows(tasks, vocab, request);
  reducer.reduce_pairs(pairs, vocab, request);
  Results results;
  results.values = row;
  results.values.insert(results.values.end(), pair.begin(), pair.end());
  results.whole.insert(results.whole.end(), ids.begin(), ids.end());
  results.whole.insert(results.whole.end(), ranks.begin(), ranks.end());
  results.whole.insert(results.whole.end(), unions.begin(), unions.end());
  return results;
}

void compare_with_cpu(int device, size_t vocab) {
  const std::vector<float> host = random_rows(kCheckedRows, vocab, static_cast<uint32_t>(vocab));
  DeviceArray<float> memory;
  memory.put(host, nullptr);
  check(cudaDeviceSynchronize(), "copy rows");
  ggml_tensor tensor{};
  tensor.type = GGML_TYPE_F32;
  tensor.ne[0] = static_cast<int64_t>(vocab);
  tensor.ne[1] = kCheckedRows;
  tensor.nb[1] = vocab * sizeof(float);
  tensor.data = const_cast<float*>(memory.data());
  std::vector<metrics::Row> there;
  std::vector<metrics::Row> here;
  for (size_t i = 0; i < kCheckedRows; ++i) {
    there.push_back({nullptr, &tensor, i});
    here.push_back({host.data() + i * vocab, nullptr, 0});
  }
  const metrics::DeviceReducer reducer(metrics::make_cuda_kernels_on(device, vocab), vocab, kRows);
  const Results found = measure(reducer, there, vocab);
  const Results expected = measure(*metrics::make_cpu_reducer(), here, vocab);
  double worst = 0;
  for (size_t i = 0; i < found.values.size(); ++i) {
    const double off =
        std::fabs(found.values[i] - expected.values[i]) / std::max(1e-9, std::fabs(expected.values[i]));
    worst = off <= worst ? worst : off;  // NaN counts as worst
  }
  const bool ok = worst <= 1e-6 && found.whole == expected.whole && reducer.handed_to_cpu() == 0;
  failures += ok ? 0 : 1;
  std::printf(
      "{\"bench\":\"device.check\",\"vocab\":%zu,\"rows\":%d,\"ok\":%s,\"largestRelativeError\":%.3g}\n",
      vocab, kCheckedRows, ok ? "true" : "false", worst);
}

// The median time of `work` over rounds, in seconds, by the card's own clock.
template <typename Work>
double seconds_of(cudaStream_t stream, Work work) {
  cudaEvent_t start{};
  cudaEvent_t end{};
  check(cudaEventCreate(&start), "make an event");
  check(cudaEventCreate(&end), "make an event");
  std::vector<float> times;
  for (int round = 0; round < kRounds + 3; ++round) {
    check(cudaEventRecord(start, stream), "record");
    work(round);
    check(cudaEventRecord(end, stream), "record");
    check(cudaEventSynchronize(end), "wait");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start, end), "measure");
    // The first ones warm up.
    if (round >= 3) times.push_back(milliseconds);
  }
  cudaEventDestroy(start);
  cudaEventDestroy(end);
  std::nth_element(times.begin(), times.begin() + kRounds / 2, times.end());
  return static_cast<double>(times[kRounds / 2]) * 1e-3;
}

void report(const char* kernel, size_t vocab, double seconds, double bytes_read, double copy,
            size_t to_host) {
  std::printf(
      "{\"bench\":\"device.kernel\",\"kernel\":\"%s\",\"vocab\":%zu,\"rows\":%d,\"microseconds\":%.1f,"
      "\"gigabytesPerSecond\":%.1f,\"copyGigabytesPerSecond\":%.1f,\"ofCopy\":%.3f,\"bytesToHostPerRow\":%zu}"
      "\n",
      kernel, vocab, kRows, seconds * 1e6, bytes_read / seconds * 1e-9, copy * 1e-9,
      bytes_read / seconds / copy, to_host);
}

void time_kernels(size_t vocab) {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "make a stream");
  const size_t count = static_cast<size_t>(kRows) * vocab;
  const double bytes = static_cast<double>(count * sizeof(float));
  // Three sets of rows in turns, so that none is left in a cache from the round before.
  constexpr int kSets = 3;
  const std::vector<float> some = random_rows(32, vocab, 7);
  DeviceArray<float> sets[kSets];
  for (DeviceArray<float>& set : sets) {
    float* rows = set.reserve(count);
    for (size_t at = 0; at < count; at += some.size()) {
      check(cudaMemcpy(rows + at, some.data(), some.size() * sizeof(float), cudaMemcpyHostToDevice),
            "copy rows");
    }
  }
  // Read and written: the card moves two bytes for each that is copied.
  const double copy =
      2 * bytes / seconds_of(stream, [&](int round) {
        check(cudaMemcpyAsync(sets[round % kSets].reserve(count), sets[(round + 1) % kSets].data(),
                              count * sizeof(float), cudaMemcpyDeviceToDevice, stream),
              "copy");
      });

  const metrics::Request request = everything(vocab);
  DeviceArray<int32_t> group_ids, group_offsets, targets, rows_a, rows_b, member_ids;
  DeviceArray<lane::PairScale> scales;
  DeviceArray<float> out;
  const std::vector<int32_t> offsets(request.group_offsets.begin(), request.group_offsets.end());
  const std::vector<int32_t> some_targets(kRows, static_cast<int32_t>(vocab / 2));
  metrics::cuda::RowArgs rows{};
  rows.rows = kRows;
  rows.vocab = static_cast<int>(vocab);
  rows.top = kTop;
  rows.groups = kGroups;
  rows.group_ids = group_ids.put(request.group_ids, stream);
  rows.group_offsets = group_offsets.put(offsets, stream);
  rows.targets = targets.put(some_targets, stream);
  rows.targets_per_row = 1;
  const auto row_numbers = static_cast<size_t>(metrics::cuda::row_columns(rows));
  rows.out = out.reserve(kRows * row_numbers);
  report("rows", vocab,
         seconds_of(stream,
                    [&](int round) {
                      rows.logits = sets[round % kSets].data();
                      check(metrics::cuda::launch_rows(rows, stream), "start");
                    }),
         bytes, copy, row_numbers * sizeof(float));

  std::vector<int32_t> first, second, members;
  for (int32_t i = 0; i < kRows; i += 2) {
    first.push_back(i);
    second.push_back(i + 1);
    for (int32_t m = 0; m < kMembers; ++m) members.push_back(static_cast<int32_t>(m * 13 % vocab));
  }
  const std::vector<lane::PairScale> scale(kRows / 2, {10, 10, 0.5F, 0.5F, 0, 0.01F});
  metrics::cuda::PairArgs pairs{};
  pairs.pairs = kRows / 2;
  pairs.vocab = static_cast<int>(vocab);
  pairs.rows_a = rows_a.put(first, stream);
  pairs.rows_b = rows_b.put(second, stream);
  pairs.scales = scales.put(scale, stream);
  pairs.member_ids = member_ids.put(members, stream);
  pairs.members = kMembers;
  const auto pair_numbers = static_cast<size_t>(metrics::cuda::pair_columns(pairs));
  pairs.out = out.reserve(kRows * std::max(row_numbers, pair_numbers));
  report("pairs", vocab,
         seconds_of(stream,
                    [&](int round) {
                      pairs.logits_a = pairs.logits_b = sets[round % kSets].data();
                      check(metrics::cuda::launch_pairs(pairs, stream), "start");
                    }),
         bytes, copy, pair_numbers * sizeof(float) / 2);
  check(cudaStreamSynchronize(stream), "finish");
  cudaStreamDestroy(stream);
}

int run() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "SKIPPED: there is no CUDA device\n");
    return 0;
  }
  cudaDeviceProp card{};
  check(cudaGetDeviceProperties(&card, 0), "describe the card");
  std::printf(
      "{\"bench\":\"device.card\",\"name\":\"%s\",\"architecture\":\"sm_%d%d\",\"memoryBytes\":%zu}\n",
      card.name, card.major, card.minor, card.totalGlobalMem);
  for (const size_t vocab : {32000UL, 32003UL, 151936UL, 262144UL}) compare_with_cpu(0, vocab);
  for (const size_t vocab : {32000UL, 151936UL, 262144UL}) time_kernels(vocab);
  return failures == 0 ? 0 : 1;
}

}  // namespace

}  // namespace logit_audit::bench

int main() {
  try {
    return logit_audit::bench::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "device bench: %s\n", error.what());
    return 1;
  }
}
