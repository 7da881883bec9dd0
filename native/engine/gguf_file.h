// A GGUF file's header, read without its weights. Files are untrusted: every fault of one is an
// Error with its name and the reason, and a key of an unexpected type is an error too, where llama.cpp's own
// getters abort the process.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ggml.h"

struct gguf_context;

namespace logit_audit {

struct GgufTensor {
  std::string name;
  ggml_type type;
  // Sizes, innermost first; 1 beyond the last dimension.
  std::array<int64_t, GGML_MAX_DIMS> shape;

  // As people write it, such as "64 x 512".
  std::string shape_text() const;
};

class GgufFile {
 public:
  // `what` is how messages call the file, such as "model file". Throws file_not_found, file_unreadable,
  // not_gguf, or model_invalid where the header is damaged or the file ends before its tensors do.
  GgufFile(const std::string& path, std::string what);

  const std::string& path() const { return path_; }
  const std::vector<GgufTensor>& tensors() const { return tensors_; }

  // A key's value, or none where the file lacks it. Throws model_invalid where it is of another type.
  std::optional<std::string> text(const char* key) const;
  std::optional<uint16_t> uint16(const char* key) const;
  std::optional<int32_t> int32(const char* key) const;
  std::optional<float> float32(const char* key) const;
  bool has(const char* key) const;
  // Entries of an array; none where the key is absent or no array.
  std::optional<uint64_t> array_length(const char* key) const;

  // Throws model_invalid: the file cannot be used, and why.
  [[noreturn]] void refuse(const std::string& why) const;

 private:
  struct Deleter {
    void operator()(gguf_context* context) const;
  };
  // The id of a key, or -1; throws where it is of another type than `type`, which is called `type_name`.
  int64_t find(const char* key, int type) const;

  std::string path_;
  std::string what_;
  std::unique_ptr<gguf_context, Deleter> gguf_;
  std::vector<GgufTensor> tensors_;
};

}  // namespace logit_audit
