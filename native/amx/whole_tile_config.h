// Included before llama.cpp's AMX kernels (ggml-cpu/amx/mmq.cpp) by the build, docs/design/build.md says
// why.
//
// LDTILECFG reads 64 bytes. GCC's _tile_loadconfig names 8 of them as its operand, so that its optimiser may
// take the stores of the other 56 for dead and drop them: gcc 12.2 does at -O2. The statement in front of the
// intrinsic reads all 64, whatever the compiler and its options, and costs no instruction.
#pragma once

#if defined(__AMX_TILE__) && defined(__GNUC__)
#include <immintrin.h>

struct logit_audit_tile_config {
  unsigned char bytes[64];
};

__attribute__((always_inline)) static inline void logit_audit_tile_loadconfig(const void* config) {
  __asm__ volatile("" : : "m"(*static_cast<const logit_audit_tile_config*>(config)));
  _tile_loadconfig(config);
}

// From here on the intrinsic is the function above.
#define _tile_loadconfig logit_audit_tile_loadconfig
#endif
