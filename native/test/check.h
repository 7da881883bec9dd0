// A test harness small enough to read: C++ test frameworks are not to be had from the registries that this
// project builds from (docs/design/testing.md). A test is a TEST(name) { ... }; CHECK continues after a
// fault, and every check is counted.
#pragma once

#include <cmath>
#include <functional>
#include <sstream>
#include <string>

namespace logit_audit::test {

void add_test(const char* name, std::function<void()> body);
// Runs every test whose name holds `filter`; returns the exit code.
int run_tests(const std::string& filter);

void record(bool ok, const char* file, int line, const std::string& what);
// Says loudly that a test did not run, and why.
void skip(const std::string& reason);

struct Registration {
  Registration(const char* name, std::function<void()> body) { add_test(name, std::move(body)); }
};

template <typename A, typename B>
void check_equal(const A& a, const B& b, const char* text, const char* file, int line) {
  std::ostringstream what;
  what << text << ": " << a << " is not " << b;
  record(a == b, file, line, what.str());
}

inline void check_near(double a, double b, double tolerance, const char* text, const char* file, int line) {
  std::ostringstream what;
  what.precision(17);
  what << text << ": " << a << " is not within " << tolerance << " of " << b;
  const bool same = a == b || (std::isnan(a) && std::isnan(b));
  // An infinite value has no neighbourhood: it is met or missed.
  const bool near = std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= tolerance;
  record(same || near, file, line, what.str());
}

// Runs `body` and checks that it throws `Exception` for which `matches` holds.
template <typename Exception, typename Body, typename Matches>
void check_throws(Body body, Matches matches, const char* text, const char* file, int line) {
  try {
    body();
  } catch (const Exception& error) {
    record(matches(error), file, line, std::string(text) + " threw the wrong fault: " + error.what());
    return;
  }
  record(false, file, line, std::string(text) + " did not throw");
}

}  // namespace logit_audit::test

#define LA_JOIN2(a, b) a##b
#define LA_JOIN(a, b) LA_JOIN2(a, b)
#define TEST(name)                                                                                        \
  static void LA_JOIN(test_body_, __LINE__)();                                                            \
  static const ::logit_audit::test::Registration LA_JOIN(test_, __LINE__)(name,                           \
                                                                          LA_JOIN(test_body_, __LINE__)); \
  static void LA_JOIN(test_body_, __LINE__)()
#define CHECK(condition) ::logit_audit::test::record((condition), __FILE__, __LINE__, #condition)
#define CHECK_EQ(a, b) ::logit_audit::test::check_equal((a), (b), #a " == " #b, __FILE__, __LINE__)
#define CHECK_NEAR(a, b, tolerance) \
  ::logit_audit::test::check_near((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
// The expression throws an Error with this code.
#define CHECK_FAULT(expression, wanted)                                                                 \
  ::logit_audit::test::check_throws<::logit_audit::Error>(                                              \
      [&] { (void)(expression); }, [&](const ::logit_audit::Error& e) { return e.code() == (wanted); }, \
      #expression, __FILE__, __LINE__)
