// llama.cpp writes to stderr by default. Here its lines are kept from the terminal, and the errors of the
// current thread are gathered so that a failed load can say why.
#pragma once

#include <string>

namespace logit_audit {

// Installs the callback; call once before anything of llama.cpp. LOGIT_AUDIT_LLAMA_LOG=1 lets all lines
// through.
void install_log_capture();

// While it lives, llama.cpp's error lines from this thread are gathered here.
class ErrorLines {
 public:
  ErrorLines();
  ~ErrorLines();
  ErrorLines(const ErrorLines&) = delete;
  ErrorLines& operator=(const ErrorLines&) = delete;

  // The lines joined by "; ", or "no reason given".
  std::string summary() const;
  // The last of them, or "no reason given".
  std::string last() const;
  // Do they say that memory could not be had?
  bool tell_of_memory() const;

 private:
  friend void append_error_line(const char* text);
  std::string text_;
  ErrorLines* outer_;
};

}  // namespace logit_audit
