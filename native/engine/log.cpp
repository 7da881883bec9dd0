#include "engine/log.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "llama.h"

namespace logit_audit {

namespace {

thread_local ErrorLines* current = nullptr;
// A continuation line (GGML_LOG_LEVEL_CONT) belongs to the level of the line before it.
thread_local ggml_log_level last_level = GGML_LOG_LEVEL_NONE;
// A hostile file must not make us hoard text.
constexpr size_t kMaxGathered = 4000;

bool wants_all_lines() {
  const char* value = std::getenv("LOGIT_AUDIT_LLAMA_LOG");
  return value != nullptr && std::strcmp(value, "1") == 0;
}

}  // namespace

void append_error_line(const char* text) {
  if (current == nullptr || current->text_.size() > kMaxGathered) return;
  current->text_ += text;
}

namespace {

void on_log(ggml_log_level level, const char* text, void* to_stderr) {
  if (level != GGML_LOG_LEVEL_CONT) last_level = level;
  if (last_level == GGML_LOG_LEVEL_ERROR) append_error_line(text);
  if (to_stderr != nullptr) std::fputs(text, stderr);
}

}  // namespace

void install_log_capture() {
  static int flag = 1;
  llama_log_set(on_log, wants_all_lines() ? &flag : nullptr);
}

ErrorLines::ErrorLines() : outer_(current) { current = this; }

ErrorLines::~ErrorLines() { current = outer_; }

std::string ErrorLines::summary() const {
  std::string joined;
  bool at_break = false;
  for (char c : text_) {
    if (c == '\n') {
      at_break = !joined.empty();
    } else {
      if (at_break) joined += "; ";
      at_break = false;
      joined += c;
    }
  }
  return joined.empty() ? "no reason given" : joined;
}

std::string ErrorLines::last() const {
  const std::string all = summary();
  const size_t at = all.rfind("; ");
  return at == std::string::npos ? all : all.substr(at + 2);
}

bool ErrorLines::tell_of_memory() const {
  for (const char* word : {"allocat", "insufficient memory", "out of memory"}) {
    if (text_.find(word) != std::string::npos) return true;
  }
  return false;
}

}  // namespace logit_audit
