// Never compiled nor run so far: docs/devices.md.
#include "metrics/metal/metal.h"

#import <Metal/Metal.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "error.h"
#include "ggml.h"
#include "metrics/lane/pairs.h"
#include "metrics/metal/arguments.h"
#include "metrics/pair_scale.h"

namespace logit_audit::metrics {

namespace {

constexpr size_t kMostTop = 64;
constexpr size_t kMostNumbers = 2 * 1024;
constexpr NSUInteger kThreads = 256;

[[noreturn]] void fail(const std::string& what, NSError* error = nil) {
  const std::string why = error == nil ? "" : std::string(": ") + [[error localizedDescription] UTF8String];
  throw Error(Code::kEngineFailed, "the metrics on Metal failed: " + what + why +
                                       "; --metrics-impl graph or cpu does without these kernels");
}

// A tensor's rows as Metal sees them: a buffer over all of llama.cpp's, and where in it they begin.
struct Placed {
  id<MTLBuffer> buffer;
  NSUInteger offset;
};

class MetalKernels final : public Kernels {
 public:
  explicit MetalKernels(size_t vocab) : vocab_(vocab), device_(MTLCreateSystemDefaultDevice()) {
    if (device_ == nil) fail("there is no Metal device");
    queue_ = [device_ newCommandQueue];
    NSError* error = nil;
    NSURL* url = [NSURL fileURLWithPath:@LOGIT_AUDIT_METAL_LIBRARY];
    id<MTLLibrary> library = [device_ newLibraryWithURL:url error:&error];
    if (library == nil) fail("no kernel library", error);
    rows_ = pipeline(library, @"logit_audit_rows");
    pairs_ = pipeline(library, @"logit_audit_pairs");
  }

  std::string name() const override { return "metal"; }
  size_t most_top() const override { return kMostTop; }
  Footprint footprint() const override { return metal_footprint(vocab_); }

  RowSums rows(const RowBatch& batch) override {
    @autoreleasepool {
      const size_t groups = batch.groups == nullptr ? 0 : batch.groups->groups();
      const size_t top = batch.top;
      const size_t targets = batch.targets_per_row;
      metal_kernels::RowArguments args{};
      args.vocab = static_cast<unsigned>(vocab_);
      args.top = static_cast<unsigned>(top);
      args.groups = static_cast<unsigned>(groups);
      args.targets_per_row = static_cast<unsigned>(targets);
      args.columns = static_cast<unsigned>(5 + groups + 2 * top + 2 * targets);
      std::vector<int32_t> ids;
      std::vector<int32_t> offsets;
      if (groups > 0) {
        ids = batch.groups->group_ids;
        offsets.assign(batch.groups->group_offsets.begin(), batch.groups->group_offsets.end());
      }
      const Placed logits = place(*batch.tensor);
      id<MTLBuffer> out = space(batch.count * args.columns * sizeof(float));
      run(rows_, batch.count, ^(id<MTLComputeCommandEncoder> encoder) {
        [encoder setBuffer:logits.buffer
                    offset:logits.offset + batch.first * vocab_ * sizeof(float)
                   atIndex:0];
        [encoder setBytes:&args length:sizeof(args) atIndex:1];
        [encoder setBuffer:put(ids) offset:0 atIndex:2];
        [encoder setBuffer:put(offsets) offset:0 atIndex:3];
        [encoder setBuffer:put(batch.targets) offset:0 atIndex:4];
        [encoder setBuffer:out offset:0 atIndex:5];
      });
      RowSums sums;
      const auto* values = static_cast<const float*>([out contents]);
      for (size_t row = 0; row < batch.count; ++row) {
        const float* at = values + row * args.columns;
        sums.check.push_back(*at++);
        sums.max.push_back(*at++);
        sums.below.push_back(*at++);
        sums.rest.push_back(*at++);
        sums.weighted.push_back(*at++);
        at = append(sums.masses, at, groups);
        at = append(sums.top_logits, at, top);
        for (size_t k = 0; k < top; ++k) {
          int32_t id = 0;
          std::memcpy(&id, at++, sizeof(id));
          sums.top_ids.push_back(id);
        }
        at = append(sums.target_logits, at, targets);
        append(sums.larger, at, targets);
      }
      return sums;
    }
  }

  PairSums pairs(const PairBatch& batch) override {
    @autoreleasepool {
      metal_kernels::PairArguments args{};
      args.vocab = static_cast<unsigned>(vocab_);
      args.members = static_cast<unsigned>(batch.members);
      args.columns = static_cast<unsigned>(8 + 2 * batch.members);
      std::vector<lane::PairScale> scales;
      for (size_t i = 0; i < batch.count(); ++i) scales.push_back(scale_of(batch.a[i], batch.b[i]));
      const Placed a = place(*batch.tensor_a);
      const Placed b = place(*batch.tensor_b);
      id<MTLBuffer> out = space(batch.count() * args.columns * sizeof(float));
      run(pairs_, batch.count(), ^(id<MTLComputeCommandEncoder> encoder) {
        [encoder setBuffer:a.buffer offset:a.offset atIndex:0];
        [encoder setBuffer:b.buffer offset:b.offset atIndex:1];
        [encoder setBytes:&args length:sizeof(args) atIndex:2];
        [encoder setBuffer:put(batch.rows_a) offset:0 atIndex:3];
        [encoder setBuffer:put(batch.rows_b) offset:0 atIndex:4];
        [encoder setBuffer:put(scales) offset:0 atIndex:5];
        [encoder setBuffer:put(batch.member_ids) offset:0 atIndex:6];
        [encoder setBuffer:out offset:0 atIndex:7];
      });
      PairSums sums;
      const auto* values = static_cast<const float*>([out contents]);
      for (size_t pair = 0; pair < batch.count(); ++pair) {
        const float* at = values + pair * args.columns;
        for (std::vector<float>* column :
             {&sums.jsd, &sums.kl_pq, &sums.kl_qp, &sums.down, &sums.up, &sums.p, &sums.q, &sums.far}) {
          column->push_back(*at++);
        }
        at = append(sums.member_logits_a, at, batch.members);
        append(sums.member_logits_b, at, batch.members);
      }
      return sums;
    }
  }

 private:
  static const float* append(std::vector<float>& to, const float* from, size_t count) {
    to.insert(to.end(), from, from + count);
    return from + count;
  }

  id<MTLComputePipelineState> pipeline(id<MTLLibrary> library, NSString* name) {
    NSError* error = nil;
    id<MTLFunction> function = [library newFunctionWithName:name];
    if (function == nil) fail("a kernel is missing");
    id<MTLComputePipelineState> made = [device_ newComputePipelineStateWithFunction:function error:&error];
    if (made == nil) fail("a kernel cannot be used", error);
    return made;
  }

  Placed place(const ggml_tensor& tensor) {
    void* base = ggml_backend_buffer_get_base(tensor.buffer);
    const std::string kind = ggml_backend_buft_name(ggml_backend_buffer_get_type(tensor.buffer));
    if (kind.find("Private") != std::string::npos) fail("the logits are in memory that only the card sees");
    id<MTLBuffer> over = [device_ newBufferWithBytesNoCopy:base
                                                    length:ggml_backend_buffer_get_size(tensor.buffer)
                                                   options:MTLResourceStorageModeShared
                                               deallocator:nil];
    if (over == nil) fail("llama.cpp's memory cannot be shared");
    return {over, static_cast<NSUInteger>(static_cast<char*>(tensor.data) - static_cast<char*>(base))};
  }

  id<MTLBuffer> space(size_t bytes) {
    id<MTLBuffer> made = [device_ newBufferWithLength:bytes options:MTLResourceStorageModeShared];
    if (made == nil) fail("no memory for results");
    return made;
  }

  template <typename T>
  id<MTLBuffer> put(const std::vector<T>& values) {
    // A kernel wants a buffer even for what it does not read.
    id<MTLBuffer> made = space(std::max<size_t>(values.size(), 1) * sizeof(T));
    if (!values.empty()) std::memcpy([made contents], values.data(), values.size() * sizeof(T));
    return made;
  }

  void run(id<MTLComputePipelineState> kernel, size_t count, void (^bind)(id<MTLComputeCommandEncoder>)) {
    id<MTLCommandBuffer> commands = [queue_ commandBuffer];
    id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
    [encoder setComputePipelineState:kernel];
    bind(encoder);
    [encoder dispatchThreadgroups:MTLSizeMake(count, 1, 1) threadsPerThreadgroup:MTLSizeMake(kThreads, 1, 1)];
    [encoder endEncoding];
    [commands commit];
    [commands waitUntilCompleted];
    if ([commands status] != MTLCommandBufferStatusCompleted) fail("a kernel did not end", [commands error]);
  }

  size_t vocab_;
  id<MTLDevice> device_;
  id<MTLCommandQueue> queue_;
  id<MTLComputePipelineState> rows_;
  id<MTLComputePipelineState> pairs_;
};

}  // namespace

Footprint metal_footprint(size_t) {
  const size_t bytes = kMostNumbers * sizeof(float);
  return {bytes, bytes};
}

std::unique_ptr<Kernels> make_metal_kernels(ggml_backend_dev_t, size_t vocab, int) {
  return std::make_unique<MetalKernels>(vocab);
}

}  // namespace logit_audit::metrics
