// The text of a generation while it grows, token by token, and where a stop string ends it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace logit_audit {

class GeneratedText {
 public:
  // Stop strings are not empty.
  explicit GeneratedText(std::vector<std::string> stop);

  // Appends a token's bytes. True once the text holds a stop string; the text then ends before the
  // first one; nothing is to be added after that.
  bool add(const std::string& piece);

  // Bytes as the tokens gave them: a character may be cut off at the end, where the tokens end in the midst
  // of it.
  const std::string& text() const { return text_; }

 private:
  std::vector<std::string> stop_;
  size_t longest_stop_ = 0;
  std::string text_;
};

}  // namespace logit_audit
