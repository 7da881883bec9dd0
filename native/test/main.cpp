// The C++ tests: `build/engine/native_tests [part of a name]`, run in the package's folder.
#include <cstdlib>

#include "engine/log.h"
#include "llama.h"
#include "test/check.h"

int main(int argc, char** argv) {
  // The models are tiny: on a busy machine a second thread only makes the first one wait.
  setenv("LOGIT_AUDIT_THREADS", "1", 0);
  logit_audit::install_log_capture();
  llama_backend_init();
  return logit_audit::test::run_tests(argc > 1 ? argv[1] : "");
}
