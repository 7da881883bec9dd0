#include "engine/device_tap.h"

#include <cstring>
#include <string>

#include "error.h"

namespace logit_audit {

namespace {

// llama.cpp's name for the logits of a graph.
constexpr const char* kLogits = "result_output";

// A sampler that runs on the device and asks for nothing: llama.cpp copies logits to the host only for
// sequences without a sampler there.
const char* quiet_name(const llama_sampler*) { return "logit-audit"; }
void quiet_apply(llama_sampler*, llama_token_data_array*) {}
llama_sampler* quiet_clone(const llama_sampler*);
bool quiet_init(llama_sampler*, ggml_backend_buffer_type_t, uint32_t) { return true; }
void quiet_backend_apply(llama_sampler*, ggml_context*, ggml_cgraph*, llama_sampler_data* data) {
  data->logits = nullptr;
}

llama_sampler_i quiet_interface() {
  llama_sampler_i made{};
  made.name = quiet_name;
  made.apply = quiet_apply;
  made.clone = quiet_clone;
  made.backend_init = quiet_init;
  made.backend_apply = quiet_backend_apply;
  return made;
}

llama_sampler* make_quiet() {
  static llama_sampler_i interface = quiet_interface();
  return llama_sampler_init(&interface, nullptr);
}

llama_sampler* quiet_clone(const llama_sampler*) { return make_quiet(); }

[[noreturn]] void throw_broken(const std::string& what) {
  throw Error(Code::kEngineFailed, "llama.cpp did not leave its logits where they are looked for: " + what +
                                       "; take --metrics-impl cpu");
}

}  // namespace

DeviceTap::DeviceTap(uint32_t sequences, uint32_t outputs, TapFault fault)
    : outputs_(outputs), fault_(fault) {
  for (uint32_t id = 0; id < sequences; ++id) {
    llama_sampler* chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
    samplers_.emplace_back(chain);
    llama_sampler_chain_add(chain, make_quiet());
  }
}

void DeviceTap::install(llama_context_params& params) {
  params.cb_eval = see;
  params.cb_eval_user_data = this;
  params.n_outputs_max_per_seq = outputs_;
}

void DeviceTap::attach(llama_context* context) {
  if (fault_ == TapFault::kCopied) return;
  for (size_t id = 0; id < samplers_.size(); ++id) {
    if (!llama_set_sampler(context, static_cast<llama_seq_id>(id), samplers_[id].get())) {
      throw_broken("it takes no sampler on this device");
    }
  }
}

void DeviceTap::detach(llama_context* context) {
  for (size_t id = 0; id < samplers_.size(); ++id) {
    llama_set_sampler(context, static_cast<llama_seq_id>(id), nullptr);
  }
  expect();
}

bool DeviceTap::see(ggml_tensor* tensor, bool ask, void* tap) {
  auto* self = static_cast<DeviceTap*>(tap);
  if (!ask || std::strcmp(tensor->name, kLogits) != 0 || self->fault_ == TapFault::kNotSeen) return false;
  self->seen_ = tensor;
  ++self->times_seen_;
  // No wish to stop here: the graph is computed in one go.
  return false;
}

void DeviceTap::expect() {
  seen_ = nullptr;
  times_seen_ = 0;
  leaf_.reset();
}

const ggml_tensor& DeviceTap::logits(llama_context* context, size_t vocab, size_t rows) {
  if (times_seen_ != 1) {
    throw_broken(std::string("the tensor \"") + kLogits + "\" came " + std::to_string(times_seen_) +
                 " times in a call, not once");
  }
  const bool fits = seen_->type == GGML_TYPE_F32 && ggml_is_contiguous(seen_) &&
                    seen_->ne[0] == static_cast<int64_t>(vocab) &&
                    seen_->ne[1] == static_cast<int64_t>(rows) && ggml_nrows(seen_) == seen_->ne[1];
  if (!fits) {
    throw_broken(std::string("\"") + kLogits + "\" is " + ggml_type_name(seen_->type) + " [" +
                 std::to_string(seen_->ne[0]) + ", " + std::to_string(seen_->ne[1]) + "], not f32 [" +
                 std::to_string(vocab) + ", " + std::to_string(rows) + "]");
  }
  // The graph may still run: copying to the host usually waits for it.
  llama_synchronize(context);
  leaf_.emplace(*seen_, 0, rows);
  if (leaf_->get()->buffer == nullptr || leaf_->get()->data == nullptr) throw_broken("they lie in no buffer");
  if (fault_ == TapFault::kOtherLogits) {
    const float wrong = 1e4;
    ggml_backend_tensor_set(leaf_->get(), &wrong, 0, sizeof(wrong));
  }
  return *leaf_->get();
}

}  // namespace logit_audit
