// The one exception type of native/. Inside it faults travel as Error; at the addon's boundary
// addon/errors.cpp turns them into JavaScript errors with the same code, message and data.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace logit_audit {

// The codes of src/errors.ts that native code can give.
enum class Code {
  kBadArgument,
  kFileNotFound,
  kFileUnreadable,
  kNotGguf,
  kModelInvalid,
  kContextOverflow,
  kEmptyInput,
  kLengthMismatch,
  kOutOfRange,
  kNotFinite,
  kAllMasked,
  kCancelled,
  kEngineFailed,
  kEngineClosed,
  kInternal,
};

// The code as JavaScript sees it, such as "context_overflow".
const char* code_name(Code code);

// Every code above, by name.
std::vector<std::string> all_code_names();

using ErrorData = std::vector<std::pair<std::string, std::variant<double, std::string>>>;

class Error : public std::runtime_error {
 public:
  Error(Code code, const std::string& message, ErrorData data = {})
      : std::runtime_error(message), code_(code), data_(std::move(data)) {}

  Code code() const { return code_; }
  const ErrorData& data() const { return data_; }

 private:
  Code code_;
  ErrorData data_;
};

}  // namespace logit_audit
