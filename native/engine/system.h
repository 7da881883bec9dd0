// What this build is and what it runs on, for `logit-audit doctor`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/devices.h"

namespace logit_audit {

struct SystemInfo {
  std::string llama_version;
  std::string llama_crate;
  std::string built_for;  // "cpu", "cuda", "metal"
  std::vector<std::string> features;
  // That this process may use.
  uint32_t cores = 1;
  // Implementations of the metrics on logits, "cpu" first.
  std::vector<std::string> metrics;
  std::vector<ComputeDevice> devices;
};

SystemInfo system_info();

}  // namespace logit_audit
