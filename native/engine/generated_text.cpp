#include "engine/generated_text.h"

#include <algorithm>
#include <utility>

namespace logit_audit {

GeneratedText::GeneratedText(std::vector<std::string> stop) : stop_(std::move(stop)) {
  for (const std::string& text : stop_) longest_stop_ = std::max(longest_stop_, text.size());
}

bool GeneratedText::add(const std::string& piece) {
  // A stop string may begin in what was there and end in the new piece.
  const size_t from = text_.size() - std::min(text_.size(), longest_stop_ == 0 ? 0 : longest_stop_ - 1);
  text_ += piece;
  size_t end = std::string::npos;
  for (const std::string& stop : stop_) end = std::min(end, text_.find(stop, from));
  if (end == std::string::npos) return false;
  text_.resize(end);
  return true;
}

}  // namespace logit_audit
