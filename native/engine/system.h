// What this build is and what it runs on, for `logit-audit doctor`.
#pragma once

#include <string>
#include <vector>

namespace logit_audit {

struct Device {
  std::string name;
  std::string description;
  std::string kind;  // "cpu", "gpu", "igpu", "accelerator"
  double memory_free = 0;
  double memory_total = 0;
};

struct SystemInfo {
  std::string llama_version;
  std::string llama_crate;
  std::string built_for;  // "cpu", "cuda", "metal"
  std::vector<std::string> features;
  std::vector<Device> devices;
};

SystemInfo system_info();

}  // namespace logit_audit
