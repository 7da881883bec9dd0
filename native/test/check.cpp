#include "test/check.h"

#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

namespace logit_audit::test {

namespace {

struct Test {
  const char* name;
  std::function<void()> body;
};

std::vector<Test>& tests() {
  static std::vector<Test> all;
  return all;
}

int checks = 0;
int faults = 0;
int skipped = 0;
const char* current = "";

}  // namespace

void add_test(const char* name, std::function<void()> body) { tests().push_back({name, std::move(body)}); }

void record(bool ok, const char* file, int line, const std::string& what) {
  ++checks;
  if (ok) return;
  ++faults;
  std::fprintf(stderr, "FAULT %s\n  %s:%d: %s\n", current, file, line, what.c_str());
}

void skip(const std::string& reason) {
  ++skipped;
  std::fprintf(stderr, "SKIPPED %s: %s\n", current, reason.c_str());
}

int run_tests(const std::string& filter) {
  int ran = 0;
  int failed = 0;
  for (const Test& test : tests()) {
    if (std::string(test.name).find(filter) == std::string::npos) continue;
    current = test.name;
    ++ran;
    const int before = faults;
    try {
      test.body();
    } catch (const std::exception& error) {
      record(false, test.name, 0, std::string("threw: ") + error.what());
    }
    if (faults != before) ++failed;
  }
  std::printf("native: %d passed, %d failed, %d skipped (%d checks)\n", ran - failed - skipped, failed,
              skipped, checks);
  return failed == 0 && ran > 0 ? 0 : 1;
}

}  // namespace logit_audit::test
