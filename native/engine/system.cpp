#include "engine/system.h"

#include <sstream>

#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "llama.h"

namespace logit_audit {

namespace {

std::string kind_of(ggml_backend_dev_t device) {
  switch (ggml_backend_dev_type(device)) {
    case GGML_BACKEND_DEVICE_TYPE_CPU:
      return "cpu";
    case GGML_BACKEND_DEVICE_TYPE_GPU:
      return "gpu";
    case GGML_BACKEND_DEVICE_TYPE_IGPU:
      return "igpu";
    default:
      return "accelerator";
  }
}

// The features that llama.cpp compiled in and uses, such as "AVX2", from its one-line report "NAME = 1 |
// ...".
std::vector<std::string> compiled_features() {
  std::vector<std::string> features;
  std::istringstream report(llama_print_system_info());
  std::string word;
  std::string name;
  while (report >> word) {
    if (word == "=") {
      std::string value;
      report >> value;
      if (value == "1") features.push_back(name);
    } else {
      name = word;
    }
  }
  return features;
}

}  // namespace

SystemInfo system_info() {
  SystemInfo info;
  info.llama_version = LOGIT_AUDIT_LLAMA_VERSION;
  info.llama_crate = LOGIT_AUDIT_LLAMA_CRATE;
  info.built_for = LOGIT_AUDIT_DEVICE;
  info.features = compiled_features();
  for (size_t i = 0; i < ggml_backend_dev_count(); ++i) {
    ggml_backend_dev_t device = ggml_backend_dev_get(i);
    size_t free = 0;
    size_t total = 0;
    ggml_backend_dev_memory(device, &free, &total);
    info.devices.push_back({ggml_backend_dev_name(device), ggml_backend_dev_description(device),
                            kind_of(device), static_cast<double>(free), static_cast<double>(total)});
  }
  return info;
}

}  // namespace logit_audit
