#include "engine/gguf_check.h"

#include <filesystem>
#include <fstream>

#include "engine/error.h"
#include "engine/model.h"
#include "test/check.h"
#include "test/files.h"

namespace logit_audit::test {

namespace {

namespace fs = std::filesystem;

std::string read_bytes(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

// A file that is gone when the test is over.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& bytes) : path_(fs::temp_directory_path() / name) {
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~TemporaryFile() { fs::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  fs::path path_;
};

}  // namespace

TEST("gguf: what is no file or no GGUF") {
  CHECK_FAULT(check_gguf("no-such-file.gguf"), Code::kFileNotFound);
  CHECK_FAULT(check_gguf(fs::temp_directory_path().string()), Code::kFileUnreadable);
  for (const std::string bytes : {"", "GG", "GGML and more", "{\"not\": \"a model\"}"}) {
    const TemporaryFile file("logit-audit-not.gguf", bytes);
    CHECK_FAULT(check_gguf(file.path()), Code::kNotGguf);
  }
}

TEST("gguf: cut off anywhere is an error, never a crash") {
  if (!fs::exists(stories_model())) return skip("no shared model beside the checkout");
  const std::string whole = read_bytes(stories_model());
  check_gguf(stories_model());
  for (const size_t kept : {size_t{4}, size_t{8}, size_t{23}, size_t{24}, size_t{100}, size_t{5000},
                            size_t{12000}, whole.size() / 2, whole.size() - 4}) {
    const TemporaryFile file("logit-audit-cut.gguf", whole.substr(0, kept));
    CHECK_FAULT(check_gguf(file.path()), Code::kModelInvalid);
    CHECK_FAULT(Model(file.path(), 0), Code::kModelInvalid);
  }
}

TEST("gguf: a damaged header is an error, never a crash") {
  if (!fs::exists(stories_model())) return skip("no shared model beside the checkout");
  const std::string whole = read_bytes(stories_model());
  for (size_t at = 4; at < 64; ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(0xff);
    const TemporaryFile file("logit-audit-damaged.gguf", damaged);
    try {
      check_gguf(file.path());
      CHECK(true);  // Some bytes do not matter.
    } catch (const Error& error) {
      CHECK(error.code() == Code::kModelInvalid);
    }
  }
}

}  // namespace logit_audit::test
