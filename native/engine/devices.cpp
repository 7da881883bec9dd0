#include "engine/devices.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "error.h"
#include "metrics/choice.h"

namespace logit_audit {

namespace {

DeviceKind kind_of(ggml_backend_dev_t device) {
  switch (ggml_backend_dev_type(device)) {
    case GGML_BACKEND_DEVICE_TYPE_CPU:
      return DeviceKind::kCpu;
    case GGML_BACKEND_DEVICE_TYPE_GPU:
      return DeviceKind::kGpu;
    case GGML_BACKEND_DEVICE_TYPE_IGPU:
      return DeviceKind::kIntegratedGpu;
    default:
      return DeviceKind::kOther;
  }
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool takes_models(const ComputeDevice& device) {
  return device.kind == DeviceKind::kGpu || device.kind == DeviceKind::kIntegratedGpu;
}

bool same_hardware(const ComputeDevice& a, const ComputeDevice& b) {
  return !a.hardware_id.empty() && a.hardware_id == b.hardware_id;
}

std::vector<ComputeDevice> automatic(const std::vector<ComputeDevice>& there) {
  std::vector<ComputeDevice> cards;
  std::vector<ComputeDevice> integrated;
  for (const ComputeDevice& device : there) {
    const auto seen = [&](const ComputeDevice& other) { return same_hardware(device, other); };
    if (device.kind == DeviceKind::kGpu && std::none_of(cards.begin(), cards.end(), seen)) {
      cards.push_back(device);
    }
    const bool same_driver = integrated.empty() || integrated.front().driver == device.driver;
    if (device.kind == DeviceKind::kIntegratedGpu && same_driver) integrated.push_back(device);
  }
  return cards.empty() ? integrated : cards;
}

// Metal's library calls itself otherwise than everybody else calls it.
bool is_driver(const std::string& wanted, const ComputeDevice& device) {
  const std::string driver = lower(device.driver);
  return driver == wanted || (wanted == "metal" && driver == "mtl");
}

[[noreturn]] void throw_unknown(const std::string& asked, const std::vector<ComputeDevice>& there) {
  std::string names = "auto, cpu";
  std::string drivers;
  bool any = false;
  for (const ComputeDevice& device : there) {
    if (!takes_models(device)) continue;
    any = true;
    names += ", " + device.name + " (" + device.description + ")";
    const std::string driver = lower(device.driver);
    if (drivers.find(driver) == std::string::npos) drivers += (drivers.empty() ? "" : ", ") + driver;
  }
  throw Error(Code::kBadArgument,
              "there is no device \"" + asked + "\"; choose one of " + names +
                  (any ? ", or all devices of a driver: " + drivers
                       : "; this build has no accelerator, or finds none"),
              {{"device", asked}});
}

}  // namespace

const char* kind_name(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::kCpu:
      return "cpu";
    case DeviceKind::kGpu:
      return "gpu";
    case DeviceKind::kIntegratedGpu:
      return "igpu";
    case DeviceKind::kOther:
      return "accelerator";
  }
  return "accelerator";
}

std::vector<ComputeDevice> compute_devices() {
  std::vector<ComputeDevice> devices;
  for (size_t i = 0; i < ggml_backend_dev_count(); ++i) {
    ggml_backend_dev_t handle = ggml_backend_dev_get(i);
    ggml_backend_dev_props properties{};
    ggml_backend_dev_get_props(handle, &properties);
    ComputeDevice device;
    device.name = ggml_backend_dev_name(handle);
    device.description = ggml_backend_dev_description(handle);
    device.kind = kind_of(handle);
    if (properties.device_id != nullptr) device.hardware_id = properties.device_id;
    device.driver = ggml_backend_reg_name(ggml_backend_dev_backend_reg(handle));
    device.memory_free = static_cast<double>(properties.memory_free);
    device.memory_total = static_cast<double>(properties.memory_total);
    device.metrics = metrics::best_for(handle);
    device.handle = handle;
    devices.push_back(std::move(device));
  }
  return devices;
}

bool asks_for_cpu(const std::string& asked) { return lower(asked) == "cpu"; }

std::vector<ComputeDevice> choose_devices(const std::string& asked, const std::vector<ComputeDevice>& there) {
  const std::string wanted = lower(asked);
  if (wanted == "auto") return automatic(there);
  if (asks_for_cpu(asked)) return {};
  for (const ComputeDevice& device : there) {
    if (takes_models(device) && lower(device.name) == wanted) return {device};
  }
  std::vector<ComputeDevice> of_driver;
  for (const ComputeDevice& device : there) {
    if (takes_models(device) && is_driver(wanted, device)) of_driver.push_back(device);
  }
  if (!of_driver.empty()) return of_driver;
  throw_unknown(asked, there);
}

std::vector<std::string> device_names(const std::vector<ComputeDevice>& chosen) {
  std::vector<std::string> names;
  for (const ComputeDevice& device : chosen) names.push_back(device.name);
  if (names.empty()) {
    names.emplace_back(ggml_backend_dev_name(ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU)));
  }
  return names;
}

}  // namespace logit_audit
