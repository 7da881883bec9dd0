// A look at a LoRA adapter before llama.cpp loads it. llama.cpp checks that names and two of the sizes fit
// the model; what it does not check ends the process, in the loader or in the first graph, or is left out
// without a message. Here an adapter is applied whole or refused.
#pragma once

#include <string>
#include <vector>

#include "engine/gguf_check.h"

namespace logit_audit {

struct AdapterFile {
  // The adapter's own factor is alpha / rank, times the scale that is asked.
  float alpha = 0;
  // Weights of the model that it changes.
  std::vector<std::string> weights;
};

// Throws what GgufFile throws, and model_invalid: no LoRA adapter, one for another architecture, or a tensor
// that does not fit the model or that llama.cpp would not apply.
AdapterFile check_adapter(const std::string& path, const ModelFiles& model);

}  // namespace logit_audit
