#include "engine/gguf_file.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "engine/log.h"
#include "error.h"
#include "gguf.h"

namespace logit_audit {

namespace {

uintmax_t readable_size(const std::string& path, const std::string& what) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path file = fs::u8path(path);
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) {
    throw Error(Code::kFileNotFound, what + " \"" + path + "\" does not exist", {{"file", path}});
  }
  if (fs::is_directory(status)) {
    throw Error(Code::kFileUnreadable, "\"" + path + "\" is a folder; give a GGUF file", {{"file", path}});
  }
  const uintmax_t size = fs::file_size(file, error);
  if (error) {
    throw Error(Code::kFileUnreadable, what + " \"" + path + "\" cannot be read: " + error.message(),
                {{"file", path}});
  }
  return size;
}

void check_magic(const std::string& path, const std::string& what, uintmax_t size) {
  char magic[4] = {};
  std::ifstream stream(std::filesystem::u8path(path), std::ios::binary);
  if (!stream) {
    throw Error(Code::kFileUnreadable, what + " \"" + path + "\" cannot be opened; check its permissions",
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

// Where the last tensor ends; at least where the tensors begin.
uintmax_t end_of_tensors(const gguf_context* gguf) {
  const uintmax_t begin = gguf_get_data_offset(gguf);
  uintmax_t end = begin;
  for (int64_t i = 0; i < gguf_get_n_tensors(gguf); ++i) {
    const uintmax_t tensor_end = begin + gguf_get_tensor_offset(gguf, i) + gguf_get_tensor_size(gguf, i);
    if (tensor_end > end) end = tensor_end;
  }
  return end;
}

std::vector<GgufTensor> tensors_of(const gguf_context* gguf) {
  std::vector<GgufTensor> tensors;
  for (int64_t i = 0; i < gguf_get_n_tensors(gguf); ++i) {
    GgufTensor tensor{gguf_get_tensor_name(gguf, i), gguf_get_tensor_type(gguf, i), {}};
    const int64_t* sizes = gguf_get_tensor_ne(gguf, i);
    for (size_t axis = 0; axis < tensor.shape.size(); ++axis) tensor.shape[axis] = sizes[axis];
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace

std::string GgufTensor::shape_text() const {
  size_t dimensions = shape.size();
  while (dimensions > 1 && shape[dimensions - 1] == 1) --dimensions;
  std::string text = std::to_string(shape[0]);
  for (size_t axis = 1; axis < dimensions; ++axis) text += " x " + std::to_string(shape[axis]);
  return text;
}

void GgufFile::Deleter::operator()(gguf_context* context) const { gguf_free(context); }

GgufFile::GgufFile(const std::string& path, std::string what) : path_(path), what_(std::move(what)) {
  const uintmax_t size = readable_size(path, what_);
  check_magic(path, what_, size);
  ErrorLines lines;
  gguf_.reset(gguf_init_from_file(path.c_str(), gguf_init_params{/*no_alloc=*/true, /*ctx=*/nullptr}));
  if (!gguf_) refuse("its header is damaged or truncated (" + lines.summary() + ")");
  // Without tensors, nothing after the header matters.
  const uintmax_t end = gguf_get_n_tensors(gguf_.get()) == 0 ? 0 : end_of_tensors(gguf_.get());
  if (end > size) {
    refuse("it is truncated: " + std::to_string(size) + " bytes of at least " + std::to_string(end) +
           "; download or copy it again");
  }
  tensors_ = tensors_of(gguf_.get());
}

void GgufFile::refuse(const std::string& why) const {
  throw Error(Code::kModelInvalid, what_ + " \"" + path_ + "\" cannot be used: " + why, {{"file", path_}});
}

int64_t GgufFile::find(const char* key, int type) const {
  const int64_t id = gguf_find_key(gguf_.get(), key);
  if (id < 0) return -1;
  const gguf_type found = gguf_get_kv_type(gguf_.get(), id);
  if (found != type) {
    refuse(std::string("its key ") + key + " is of type " + gguf_type_name(found) + ", not " +
           gguf_type_name(static_cast<gguf_type>(type)));
  }
  return id;
}

std::optional<std::string> GgufFile::text(const char* key) const {
  const int64_t id = find(key, GGUF_TYPE_STRING);
  if (id < 0) return std::nullopt;
  return gguf_get_val_str(gguf_.get(), id);
}

std::optional<uint16_t> GgufFile::uint16(const char* key) const {
  const int64_t id = find(key, GGUF_TYPE_UINT16);
  if (id < 0) return std::nullopt;
  return gguf_get_val_u16(gguf_.get(), id);
}

std::optional<int32_t> GgufFile::int32(const char* key) const {
  const int64_t id = find(key, GGUF_TYPE_INT32);
  if (id < 0) return std::nullopt;
  return gguf_get_val_i32(gguf_.get(), id);
}

std::optional<float> GgufFile::float32(const char* key) const {
  const int64_t id = find(key, GGUF_TYPE_FLOAT32);
  if (id < 0) return std::nullopt;
  return gguf_get_val_f32(gguf_.get(), id);
}

bool GgufFile::has(const char* key) const { return gguf_find_key(gguf_.get(), key) >= 0; }

std::optional<uint64_t> GgufFile::array_length(const char* key) const {
  const int64_t id = gguf_find_key(gguf_.get(), key);
  if (id < 0 || gguf_get_kv_type(gguf_.get(), id) != GGUF_TYPE_ARRAY) return std::nullopt;
  return gguf_get_arr_n(gguf_.get(), id);
}

}  // namespace logit_audit
