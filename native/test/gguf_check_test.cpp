#include "engine/gguf_check.h"

#include <filesystem>

#include "engine/model.h"
#include "error.h"
#include "test/check.h"
#include "test/files.h"
#include "test/temporary.h"

namespace logit_audit::test {

namespace {

namespace fs = std::filesystem;

}  // namespace

TEST("gguf: what is no file or no GGUF") {
  CHECK_FAULT(check_gguf("no-such-file.gguf"), Code::kFileNotFound);
  CHECK_FAULT(check_gguf(fs::temp_directory_path().string()), Code::kFileUnreadable);
  for (const std::string bytes : {"", "GG", "GGML and more", "{\"not\": \"a model\"}"}) {
    const TemporaryFolder folder;
    CHECK_FAULT(check_gguf(folder.write("not.gguf", bytes)), Code::kNotGguf);
  }
}

TEST("gguf: cut off anywhere is an error, never a crash") {
  if (!fs::exists(stories_model())) return skip("no shared model beside the checkout");
  const std::string whole = read_bytes(stories_model());
  check_gguf(stories_model());
  const TemporaryFolder folder;
  for (const size_t kept : {size_t{4}, size_t{8}, size_t{23}, size_t{24}, size_t{100}, size_t{5000},
                            size_t{12000}, whole.size() / 2, whole.size() - 4}) {
    const std::string path = folder.write("cut.gguf", whole.substr(0, kept));
    CHECK_FAULT(check_gguf(path), Code::kModelInvalid);
    CHECK_FAULT(Model(path), Code::kModelInvalid);
  }
}

TEST("gguf: a damaged header is an error, never a crash") {
  if (!fs::exists(stories_model())) return skip("no shared model beside the checkout");
  const std::string whole = read_bytes(stories_model());
  const TemporaryFolder folder;
  for (size_t at = 4; at < 64; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(0xff);
    const std::string path = folder.write("damaged.gguf", damaged);
    try {
      check_gguf(path);
      CHECK(true);  // Some bytes do not matter.
    } catch (const Error& error) {
      CHECK(error.code() == Code::kModelInvalid);
    }
  }
}

namespace {

// A part of a model that is not there to be loaded: keys and a tensor of zeros.
GgufWriter part_keys(int part, int count, int tensors) {
  GgufWriter keys = new_gguf();
  gguf_set_val_str(keys.get(), "general.architecture", "llama");
  gguf_set_val_u16(keys.get(), "split.no", static_cast<uint16_t>(part));
  gguf_set_val_u16(keys.get(), "split.count", static_cast<uint16_t>(count));
  gguf_set_val_i32(keys.get(), "split.tensors.count", tensors);
  const char* tokens[] = {"a", "b"};
  gguf_set_arr_str(keys.get(), "tokenizer.ggml.tokens", tokens, 2);
  return keys;
}

struct SplitModel {
  SplitModel() {
    // llama.cpp's own tool can leave the first part without tensors.
    write_gguf(first, part_keys(0, 3, 2), {});
    write_gguf(second, part_keys(1, 3, 2), {{"one", {4, 2}}});
    write_gguf(third, part_keys(2, 3, 2), {{"two", {4, 2}}});
  }
  TemporaryFolder folder;
  std::string first = folder.file("m-00001-of-00003.gguf");
  std::string second = folder.file("m-00002-of-00003.gguf");
  std::string third = folder.file("m-00003-of-00003.gguf");
};

void check_message(const std::string& path, Code code, const std::string& part) {
  try {
    check_gguf(path);
    record(false, __FILE__, __LINE__, "expected: " + part);
  } catch (const Error& error) {
    const std::string message = error.what();
    record(error.code() == code && message.find(part) != std::string::npos, __FILE__, __LINE__,
           "expected \"" + part + "\", got: " + message);
  }
}

}  // namespace

TEST("gguf: a model in parts is looked at whole, from its first part") {
  const SplitModel split;
  const ModelFiles files = check_gguf(split.first);
  CHECK(files.parts == std::vector<std::string>({split.first, split.second, split.third}));
  CHECK_EQ(files.tensors.size(), size_t{2});
  CHECK_EQ(files.tensors.at("two").shape_text(), "4 x 2");
  check_message(split.third, Code::kModelInvalid,
                "it is part 3 of 3; give the first, \"" + split.first + "\"");
}

TEST("gguf: parts that are missing, misnamed or of another model") {
  const auto expect_fault = [](const std::function<void(SplitModel&)>& breaks, Code code,
                               const std::string& part) {
    SplitModel split;
    breaks(split);
    check_message(split.first, code, part);
  };
  expect_fault([](auto& s) { fs::remove(s.third); }, Code::kFileNotFound, "1 of 3 parts of");
  expect_fault([](auto& s) { fs::remove(s.third); }, Code::kFileNotFound, "m-00003-of-00003.gguf; put all");
  expect_fault(
      [](auto& s) {
        fs::rename(s.first, s.folder.file("renamed.gguf"));
        s.first = s.folder.file("renamed.gguf");
      },
      Code::kModelInvalid, "its name must end with -00001-of-00003.gguf");
  expect_fault([](auto& s) { fs::copy_file(s.second, s.third, fs::copy_options::overwrite_existing); },
               Code::kModelInvalid, "inside it is not part 3 of 3");
  expect_fault(
      [](auto& s) {
        write_gguf(s.third, part_keys(2, 4, 2), {{"two", {4, 2}}});
      },
      Code::kModelInvalid, "inside it is not part 3 of 3");
  expect_fault(
      [](auto& s) {
        write_gguf(s.third, part_keys(2, 3, 2), {{"one", {4, 2}}});
      },
      Code::kModelInvalid, "its tensor one is in another part too");
  expect_fault([](auto& s) { write_gguf(s.first, part_keys(0, 3, 7), {}); }, Code::kModelInvalid,
               "its parts hold 2 tensors, and it counts 7");
  expect_fault([](auto& s) { s.folder.write("m-00002-of-00003.gguf", "hello"); }, Code::kNotGguf,
               "m-00002-of-00003.gguf");
  expect_fault(
      [](auto& s) {
        const std::string whole = read_bytes(s.third);
        s.folder.write("m-00003-of-00003.gguf", whole.substr(0, whole.size() - 20));
      },
      Code::kModelInvalid, "m-00003-of-00003.gguf\" cannot be used: it is truncated");
}

TEST("gguf: split keys that are no split") {
  const auto first = [](const std::function<void(gguf_context*)>& change, const std::string& part) {
    const SplitModel split;
    const GgufWriter keys = part_keys(0, 3, 2);
    change(keys.get());
    write_gguf(split.first, keys, {});
    check_message(split.first, Code::kModelInvalid, part);
  };
  first([](auto* keys) { gguf_set_val_u32(keys, "split.count", 3); }, "split.count is of type u32, not u16");
  first([](auto* keys) { gguf_set_val_i32(keys, "split.no", 0); }, "split.no is of type i32");
  first([](auto* keys) { gguf_remove_key(keys, "split.no"); }, "lacks the key split.no");
  first([](auto* keys) { gguf_set_val_u16(keys, "split.no", 9); }, "it is part 10 of 3");
  first([](auto* keys) { gguf_set_val_u16(keys, "split.count", 9999); }, "one of 9999 parts");
  first([](auto* keys) { gguf_remove_key(keys, "split.tensors.count"); },
        "lacks the key split.tensors.count");
  first([](auto* keys) { gguf_set_val_i32(keys, "split.tensors.count", -1); }, "it counts -1");
}

}  // namespace logit_audit::test
