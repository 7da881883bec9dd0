// Models in several files, as llama.cpp splits them: name-00001-of-00003.gguf and so on. llama.cpp finds the
// parts by itself, from the first; here they are looked at before, so that what is missing or wrong is named.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/gguf_file.h"

namespace logit_audit {

// The parts after the first; none where the model is one file. Throws file_not_found naming the missing
// parts, model_invalid where `first` is not the first, is named otherwise, or a part is not of this model.
std::vector<GgufFile> other_parts(const GgufFile& first);

// Throws model_invalid where the first of several parts counts other tensors than there are in all.
void check_tensor_count(const GgufFile& first, size_t found);

}  // namespace logit_audit
