// What a compiler makes of a tile configuration (probe.mjs): compiled to assembly, where LDTILECFG is
// replaced by a copy of its operand, so that this runs on processors without AMX too. Prints the 64 bytes;
// exit code 0 if they are those that were stored.
#include <immintrin.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

extern "C" {
// Where the copy goes; named by the assembly.
alignas(64) unsigned char logit_audit_recorded_config[64];
}

namespace {

struct TileConfig {
  uint8_t palette = 0;
  uint8_t start_row = 0;
  uint8_t reserved[14] = {0};
  uint16_t row_bytes[16] = {0};
  uint8_t rows[16] = {0};
};

// The shape that llama.cpp's function has: a local variable, once per thread, inlined where it is used.
inline void configure_tiles() {
  static thread_local bool done = false;
  if (done) return;
  alignas(64) TileConfig config = {};
  config.palette = 1;
  for (int tile = 0; tile < 8; ++tile) {
    config.rows[tile] = tile < 2 ? 8 : 16;
    config.row_bytes[tile] = tile == 2 || tile == 3 ? 32 : 64;
  }
  _tile_loadconfig(&config);
  done = true;
}

}  // namespace

int main() {
  configure_tiles();
  unsigned char expected[64] = {1};
  for (int tile = 0; tile < 8; ++tile) {
    expected[16 + 2 * tile] = tile == 2 || tile == 3 ? 32 : 64;
    expected[48 + tile] = tile < 2 ? 8 : 16;
  }
  for (const unsigned char byte : logit_audit_recorded_config) std::printf("%d ", byte);
  std::printf("\n");
  return std::memcmp(expected, logit_audit_recorded_config, sizeof expected) == 0 ? 0 : 1;
}
