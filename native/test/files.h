// Where the tests' files are, and golden vectors read from JSON.
#pragma once

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace logit_audit::test {

using Json = nlohmann::json;

// The folder of shared material beside the checkout, or LOGIT_AUDIT_SHARED; it may be absent.
inline std::filesystem::path shared_folder() {
  const char* named = std::getenv("LOGIT_AUDIT_SHARED");
  return named != nullptr ? std::filesystem::path(named) : std::filesystem::path("../shared");
}

inline Json read_json(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return Json::parse(stream);
}

// A number, or "-inf" and the like as text.
inline double number(const Json& value) {
  if (value.is_string()) return std::strtod(value.get<std::string>().c_str(), nullptr);
  return value.is_null() ? INFINITY : value.get<double>();
}

inline std::vector<float> floats(const Json& values) {
  std::vector<float> out;
  for (const Json& value : values) out.push_back(static_cast<float>(number(value)));
  return out;
}

inline std::string stories_model() { return (shared_folder() / "models" / "stories260K.gguf").string(); }

}  // namespace logit_audit::test
