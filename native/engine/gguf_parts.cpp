#include "engine/gguf_parts.h"

#include <cstdio>
#include <filesystem>
#include <string>

#include "error.h"

namespace logit_audit {

namespace {

constexpr const char* kPart = "split.no";
constexpr const char* kCount = "split.count";
constexpr const char* kTensors = "split.tensors.count";
// A file that claims more is damaged: the largest models come in some 200 parts.
constexpr uint16_t kMaxParts = 1000;
// Missing parts that a message lists by name.
constexpr size_t kMaxNamed = 5;

// "-00002-of-00003.gguf" for the second of three.
std::string suffix_of(size_t part, size_t count) {
  char text[64];
  std::snprintf(text, sizeof text, "-%05zu-of-%05zu.gguf", part + 1, count);
  return text;
}

std::string place_of(size_t part, size_t count) {
  return "part " + std::to_string(part + 1) + " of " + std::to_string(count);
}

// The path without the suffix of its part. Throws model_invalid where it has another one.
std::string prefix_of(const GgufFile& file, size_t part, size_t count) {
  const std::string suffix = suffix_of(part, count);
  const std::string& path = file.path();
  if (path.size() <= suffix.size() || path.compare(path.size() - suffix.size(), suffix.size(), suffix) != 0) {
    file.refuse("it is " + place_of(part, count) + " of a model, so its name must end with " + suffix);
  }
  return path.substr(0, path.size() - suffix.size());
}

void check_all_there(const GgufFile& first, const std::vector<std::string>& paths) {
  std::string named;
  std::string first_missing;
  size_t missing = 0;
  for (const std::string& path : paths) {
    if (std::filesystem::exists(std::filesystem::u8path(path))) continue;
    if (missing == 0) first_missing = path;
    if (missing < kMaxNamed) named += (missing == 0 ? "" : ", ") + path;
    if (missing == kMaxNamed) named += " and more";
    ++missing;
  }
  if (missing == 0) return;
  throw Error(Code::kFileNotFound,
              std::to_string(missing) + " of " + std::to_string(paths.size() + 1) + " parts of \"" +
                  first.path() + "\" are missing: " + named + "; put all into one folder",
              {{"file", first_missing}});
}

}  // namespace

std::vector<GgufFile> other_parts(const GgufFile& first) {
  const uint16_t count = first.uint16(kCount).value_or(1);
  if (count <= 1) return {};
  if (count > kMaxParts) first.refuse("it claims to be one of " + std::to_string(count) + " parts");
  const auto own = first.uint16(kPart);
  if (!own) first.refuse("it is one of " + std::to_string(count) + " parts and lacks the key " + kPart);
  const std::string prefix = prefix_of(first, *own, count);
  if (*own != 0) {
    first.refuse("it is " + place_of(*own, count) + "; give the first, \"" + prefix + suffix_of(0, count) +
                 "\"");
  }
  std::vector<std::string> paths;
  for (size_t part = 1; part < count; ++part) paths.push_back(prefix + suffix_of(part, count));
  check_all_there(first, paths);
  std::vector<GgufFile> others;
  for (size_t part = 1; part < count; ++part) {
    const GgufFile& file = others.emplace_back(paths[part - 1], "model file");
    if (file.uint16(kPart) != part || file.uint16(kCount) != count) {
      file.refuse("inside it is not " + place_of(part, count) + "; download or copy it again");
    }
  }
  return others;
}

void check_tensor_count(const GgufFile& first, size_t found) {
  if (first.uint16(kCount).value_or(1) <= 1) return;
  const auto counted = first.int32(kTensors);
  if (!counted) first.refuse(std::string("it is one of several parts and lacks the key ") + kTensors);
  if (*counted < 0 || static_cast<size_t>(*counted) != found) {
    first.refuse("its parts hold " + std::to_string(found) + " tensors, and it counts " +
                 std::to_string(*counted) + "; parts of different files?");
  }
}

}  // namespace logit_audit
