// Whether bytes are a text.
#pragma once

#include <string>

namespace logit_audit {

// Whole characters of UTF-8 and nothing else: no surrogate, no number beyond U+10FFFF, each in its shortest
// form.
bool is_utf8(const std::string& text);

}  // namespace logit_audit
