#include "engine/gguf_check.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "engine/error.h"
#include "engine/log.h"
#include "ggml.h"
#include "gguf.h"

namespace logit_audit {

namespace {

struct GgufDeleter {
  void operator()(gguf_context* context) const { gguf_free(context); }
};
using Gguf = std::unique_ptr<gguf_context, GgufDeleter>;

uintmax_t readable_size(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path file = fs::u8path(path);
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) {
    throw Error(Code::kFileNotFound, "model file \"" + path + "\" does not exist", {{"file", path}});
  }
  if (fs::is_directory(status)) {
    throw Error(Code::kFileUnreadable, "\"" + path + "\" is a folder; give a GGUF file", {{"file", path}});
  }
  const uintmax_t size = fs::file_size(file, error);
  if (error) {
    throw Error(Code::kFileUnreadable, "model file \"" + path + "\" cannot be read: " + error.message(),
                {{"file", path}});
  }
  return size;
}

void check_magic(const std::string& path, uintmax_t size) {
  char magic[4] = {};
  std::ifstream stream(std::filesystem::u8path(path), std::ios::binary);
  if (!stream) {
    throw Error(Code::kFileUnreadable, "model file \"" + path + "\" cannot be opened; check its permissions",
                {{"file", path}});
  }
  stream.read(magic, sizeof magic);
  if (size < sizeof magic || std::memcmp(magic, "GGUF", sizeof magic) != 0) {
    throw Error(Code::kNotGguf,
                "\"" + path +
                    "\" is not a GGUF file: it does not begin with the letters GGUF; convert the model first",
                {{"file", path}});
  }
}

[[noreturn]] void invalid(const std::string& path, const std::string& what) {
  throw Error(Code::kModelInvalid, "model file \"" + path + "\" cannot be used: " + what, {{"file", path}});
}

// An array key's length, or -1 where the key is absent or no array.
int64_t array_length(const gguf_context* gguf, const char* key) {
  const int64_t id = gguf_find_key(gguf, key);
  if (id < 0 || gguf_get_kv_type(gguf, id) != GGUF_TYPE_ARRAY) return -1;
  return static_cast<int64_t>(gguf_get_arr_n(gguf, id));
}

void check_tensors(const std::string& path, const gguf_context* gguf, uintmax_t size) {
  const int64_t tensors = gguf_get_n_tensors(gguf);
  if (tensors == 0) invalid(path, "it holds no tensors (a vocabulary-only file?)");
  uintmax_t end = gguf_get_data_offset(gguf);
  for (int64_t i = 0; i < tensors; ++i) {
    const uintmax_t tensor_end =
        gguf_get_data_offset(gguf) + gguf_get_tensor_offset(gguf, i) + gguf_get_tensor_size(gguf, i);
    if (tensor_end > end) end = tensor_end;
  }
  if (end > size) {
    invalid(path, "it is truncated: " + std::to_string(size) + " bytes of at least " + std::to_string(end) +
                      "; download or copy it again");
  }
}

// llama.cpp indexes these arrays by token id without looking at their length.
void check_vocabulary(const std::string& path, const gguf_context* gguf) {
  const int64_t tokens = array_length(gguf, "tokenizer.ggml.tokens");
  if (tokens <= 0) invalid(path, "it has no tokenizer (key tokenizer.ggml.tokens)");
  for (const char* key : {"tokenizer.ggml.scores", "tokenizer.ggml.token_type"}) {
    const int64_t length = array_length(gguf, key);
    if (length >= 0 && length != tokens) {
      invalid(path, std::string(key) + " has " + std::to_string(length) + " entries for " +
                        std::to_string(tokens) + " tokens");
    }
  }
}

}  // namespace

void check_gguf(const std::string& path) {
  const uintmax_t size = readable_size(path);
  check_magic(path, size);
  ErrorLines lines;
  const Gguf gguf(gguf_init_from_file(path.c_str(), gguf_init_params{/*no_alloc=*/true, /*ctx=*/nullptr}));
  if (!gguf) invalid(path, "its header is damaged or truncated (" + lines.summary() + ")");
  check_tensors(path, gguf.get(), size);
  check_vocabulary(path, gguf.get());
}

}  // namespace logit_audit
