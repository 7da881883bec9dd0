// The devices that llama.cpp may put a model on, and which of them a model is given.
#pragma once

#include <string>
#include <vector>

#include "ggml-backend.h"

namespace logit_audit {

enum class DeviceKind { kCpu, kGpu, kIntegratedGpu, kOther };

// "cpu", "gpu", "igpu" or "accelerator", which is a library that helps the CPU.
const char* kind_name(DeviceKind kind);

struct ComputeDevice {
  std::string name;
  std::string description;
  DeviceKind kind = DeviceKind::kOther;
  // Tells two names of one piece of hardware; may be empty.
  std::string hardware_id;
  // The library that drives it, such as "CUDA".
  std::string driver;
  // What reduces rows of logits in its memory, unless another implementation is requested.
  std::string metrics;
  double memory_free = 0;
  double memory_total = 0;
  ggml_backend_dev_t handle = nullptr;
};

// Every device of this build, as `doctor` lists them.
std::vector<ComputeDevice> compute_devices();

// Whether only the CPU is requested.
bool asks_for_cpu(const std::string& asked);

// The accelerators for a model, out of `there`. "auto": every graphics card once, or without one the
// integrated ones of the first driver that has any, as llama.cpp chooses by itself. "cpu": none. "cuda",
// "metal", "vulkan" or another driver: all of its devices. A device's name: that one. Case does not matter.
// Empty means that the CPU does all. Throws bad_argument listing what there is.
std::vector<ComputeDevice> choose_devices(const std::string& asked, const std::vector<ComputeDevice>& there);

// Names of chosen devices; the CPU's where none was chosen.
std::vector<std::string> device_names(const std::vector<ComputeDevice>& chosen);

}  // namespace logit_audit
