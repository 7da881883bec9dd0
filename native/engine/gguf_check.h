// A look at a GGUF file before llama.cpp loads it: model files are untrusted, and a file that is cut off or
// inconsistent should give an error that says so, not an abort deep in the loader.
#pragma once

#include <string>

namespace logit_audit {

// Throws Error: file_not_found, file_unreadable, not_gguf, or model_invalid (truncated, no tensors, no
// tokenizer).
void check_gguf(const std::string& path);

}  // namespace logit_audit
