// A look at a model's files before llama.cpp loads them: model files are untrusted, and one that is cut off,
// inconsistent or not there should give an error that says so, not an abort deep in the loader.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/gguf_file.h"

namespace logit_audit {

// What is known of a model's files before they are loaded.
struct ModelFiles {
  // Paths in order; one unless the model is split.
  std::vector<std::string> parts;
  // Empty where the file does not say.
  std::string architecture;
  // Over all parts, by name.
  std::map<std::string, GgufTensor> tensors;
};

// Looks at a model, of one in parts at all of them: `path` is the first. Throws what GgufFile throws, and
// model_invalid (an adapter, no tensors, no tokenizer; a part that is not the first, parts that do not belong
// together), file_not_found naming the missing parts.
ModelFiles check_gguf(const std::string& path);

}  // namespace logit_audit
