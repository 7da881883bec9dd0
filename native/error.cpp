#include "error.h"

namespace logit_audit {

namespace {

struct Entry {
  Code code;
  const char* name;
};

constexpr Entry kCodes[] = {
    {Code::kBadArgument, "bad_argument"},
    {Code::kFileNotFound, "file_not_found"},
    {Code::kFileUnreadable, "file_unreadable"},
    {Code::kNotGguf, "not_gguf"},
    {Code::kModelInvalid, "model_invalid"},
    {Code::kContextOverflow, "context_overflow"},
    {Code::kEmptyInput, "empty_input"},
    {Code::kLengthMismatch, "length_mismatch"},
    {Code::kOutOfRange, "out_of_range"},
    {Code::kNotFinite, "not_finite"},
    {Code::kAllMasked, "all_masked"},
    {Code::kCancelled, "cancelled"},
    {Code::kEngineFailed, "engine_failed"},
    {Code::kEngineClosed, "engine_closed"},
    {Code::kInternal, "internal"},
};

}  // namespace

const char* code_name(Code code) {
  for (const Entry& entry : kCodes) {
    if (entry.code == code) return entry.name;
  }
  return "internal";
}

std::vector<std::string> all_code_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kCodes) names.emplace_back(entry.name);
  return names;
}

}  // namespace logit_audit
