#include "engine/system.h"

#include <sstream>

#include "engine/cores.h"
#include "llama.h"
#include "metrics/choice.h"

namespace logit_audit {

namespace {

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
  info.cores = usable_cores();
  info.metrics = metrics::implementations_built();
  info.devices = compute_devices();
  return info;
}

}  // namespace logit_audit
