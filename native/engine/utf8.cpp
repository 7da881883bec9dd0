#include "engine/utf8.h"

#include <cstddef>
#include <cstdint>

namespace logit_audit {

namespace {

// What may stand behind a first byte: how many bytes, and the range of the next one, which keeps out long
// forms, surrogates and what is beyond U+10FFFF.
struct Behind {
  size_t bytes = 0;
  uint8_t least = 0x80;
  uint8_t most = 0xBF;
};

// No bytes for one that begins no longer character.
Behind behind(uint8_t first) {
  if (first == 0xE0) return {2, 0xA0, 0xBF};
  if (first == 0xED) return {2, 0x80, 0x9F};
  if (first == 0xF0) return {3, 0x90, 0xBF};
  if (first == 0xF4) return {3, 0x80, 0x8F};
  if (first >= 0xC2 && first <= 0xDF) return {1, 0x80, 0xBF};
  if (first >= 0xE1 && first <= 0xEF) return {2, 0x80, 0xBF};
  if (first >= 0xF1 && first <= 0xF3) return {3, 0x80, 0xBF};
  return {};
}

}  // namespace

bool is_utf8(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
    const uint8_t first = byte(at++);
    if (first < 0x80) continue;
    const Behind rest = behind(first);
    if (rest.bytes == 0 || text.size() - at < rest.bytes) return false;
    if (byte(at) < rest.least || byte(at) > rest.most) return false;
    for (size_t i = 1; i < rest.bytes; ++i) {
      if ((byte(at + i) & 0xC0U) != 0x80U) return false;
    }
    at += rest.bytes;
  }
  return true;
}

}  // namespace logit_audit
