// Files and folders of a test's own, gone when it is over; and GGUF files that tests put together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ggml.h"
#include "gguf.h"

namespace logit_audit::test {

class TemporaryFolder {
 public:
  TemporaryFolder() {
    static int made = 0;
    path_ = std::filesystem::temp_directory_path() /
            ("logit-audit-native-" + std::to_string(reinterpret_cast<uintptr_t>(&made)) + "-" +
             std::to_string(made++));
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return file(name);
  }

 private:
  std::filesystem::path path_;
};

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

using GgufWriter = std::unique_ptr<gguf_context, decltype(&gguf_free)>;

inline GgufWriter new_gguf() { return {gguf_init_empty(), gguf_free}; }

struct WrittenTensor {
  std::string name;
  std::vector<int64_t> shape;
  ggml_type type = GGML_TYPE_F32;
};

// Writes `keys` and tensors whose bytes are all zero.
inline void write_gguf(const std::string& path, const GgufWriter& keys,
                       const std::vector<WrittenTensor>& tensors) {
  const std::unique_ptr<ggml_context, decltype(&ggml_free)> context(
      ggml_init({size_t{16} << 20, nullptr, false}), ggml_free);
  for (const WrittenTensor& tensor : tensors) {
    ggml_tensor* made = ggml_new_tensor(context.get(), tensor.type, static_cast<int>(tensor.shape.size()),
                                        tensor.shape.data());
    // The writer wants an address of what has no bytes too.
    static char nothing = 0;
    if (made->data == nullptr) made->data = &nothing;
    std::fill_n(static_cast<char*>(made->data), ggml_nbytes(made), '\0');
    ggml_set_name(made, tensor.name.c_str());
    gguf_add_tensor(keys.get(), made);
  }
  gguf_write_to_file(keys.get(), path.c_str(), false);
}

}  // namespace logit_audit::test
