// Source of encodings and rules: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1
// chapter 18 (programming with AMX), and volume 2 (LDTILECFG, TILELOADD, TILESTORED, TILEZERO, TDPBSSD).
#include "test/amx/emulator.h"

#include <signal.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstring>

namespace logit_audit::test {

namespace {

constexpr int kTiles = 8;
constexpr int kRows = 16;
constexpr int kRowBytes = 64;

// The operand of LDTILECFG and STTILECFG.
struct TileConfig {
  uint8_t palette;
  uint8_t start_row;
  uint8_t reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
};
static_assert(sizeof(TileConfig) == 64, "as in the manual");

thread_local TileConfig config;
thread_local uint8_t tiles[kTiles][kRows][kRowBytes];
std::atomic<long> emulated{0};

// General registers in the order of their numbers in instructions.
constexpr int kRegisters[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                                REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

// An instruction of the shape that all of AMX has: VEX of three bytes, opcode map 2.
struct Instruction {
  int prefix;  // 0: none, 1: 66, 2: F3, 3: F2
  int opcode;
  bool memory;
  int reg, rm, vvvv;
  uint8_t* address;  // of a memory operand, without the row's share
  int64_t stride;
  const uint8_t* next;
};

bool decode(const uint8_t* code, const greg_t* registers, Instruction& out) {
  if (code[0] != 0xC4 || (code[1] & 0x1F) != 2) return false;
  const int x = (code[1] & 0x40) ? 0 : 8;
  const int b = (code[1] & 0x20) ? 0 : 8;
  const int mod = code[4] >> 6;
  const uint8_t* at = code + 5;
  out = {code[2] & 3, code[3], mod != 3, (code[4] >> 3) & 7, code[4] & 7, (~code[2] >> 3) & 15,
         nullptr,     0,       at};
  if (!out.memory) return true;
  const auto take = [&at](int bytes) {
    int32_t value = static_cast<int8_t>(*at);
    if (bytes == 4) std::memcpy(&value, at, 4);
    at += bytes;
    return static_cast<int64_t>(value);
  };
  int64_t base = 0;
  bool from_next = false;
  if (out.rm == 4) {
    const int sib = *at++;
    base = (sib & 7) == 5 && mod == 0 ? take(4) : registers[kRegisters[(sib & 7) + b]];
    const int index = ((sib >> 3) & 7) + x;
    if (index != 4) out.stride = registers[kRegisters[index]] << (sib >> 6);
  } else if (out.rm == 5 && mod == 0) {
    base = take(4);
    from_next = true;
  } else {
    base = registers[kRegisters[out.rm + b]];
  }
  if (mod == 1) base += take(1);
  if (mod == 2) base += take(4);
  if (from_next) base += reinterpret_cast<int64_t>(at);
  out.address = reinterpret_cast<uint8_t*>(base);
  out.next = at;
  return true;
}

bool usable(int tile) { return tile < kTiles && config.palette == 1 && config.rows[tile] > 0; }

// Each of these returns why a processor refuses, or null.
const char* load_config(const uint8_t* from) {
  TileConfig wanted;
  std::memcpy(&wanted, from, sizeof wanted);
  if (wanted.palette > 1) return "tile configuration: unknown palette";
  for (const uint8_t byte : wanted.reserved) {
    if (byte != 0) return "tile configuration: reserved bytes are not 0";
  }
  for (int i = 0; i < 16 && wanted.palette == 1; ++i) {
    const bool fits =
        i < kTiles ? wanted.rows[i] <= kRows && wanted.row_bytes[i] <= kRowBytes : wanted.rows[i] == 0;
    if (!fits || (wanted.rows[i] == 0) != (wanted.row_bytes[i] == 0))
      return "tile configuration: impossible tile";
  }
  config = wanted;
  std::memset(tiles, 0, sizeof tiles);
  return nullptr;
}

const char* move_tile(const Instruction& it, bool store) {
  if (!usable(it.reg)) return "tile is not configured";
  if (!store) std::memset(tiles[it.reg], 0, sizeof tiles[it.reg]);
  for (int row = 0; row < config.rows[it.reg]; ++row) {
    uint8_t* memory = it.address + row * it.stride;
    uint8_t* tile = tiles[it.reg][row];
    std::memcpy(store ? memory : tile, store ? tile : memory, config.row_bytes[it.reg]);
  }
  return nullptr;
}

// TDPB[SU][SU]D: sums of four products of bytes into 32 bits.
const char* multiply(const Instruction& it) {
  const int c = it.reg, a = it.rm, b = it.vvvv;
  if (!usable(a) || !usable(b) || !usable(c)) return "tile is not configured";
  if (config.rows[a] != config.rows[c] || config.row_bytes[b] != config.row_bytes[c] ||
      config.row_bytes[a] != 4 * config.rows[b]) {
    return "shapes of tiles do not fit";
  }
  const auto byte = [](uint8_t value, bool is_signed) -> int {
    return is_signed ? static_cast<int8_t>(value) : value;
  };
  const bool a_signed = it.prefix >= 2, b_signed = it.prefix % 2 == 1;
  for (int m = 0; m < config.rows[c]; ++m) {
    for (int n = 0; n < config.row_bytes[c] / 4; ++n) {
      int32_t sum;
      std::memcpy(&sum, &tiles[c][m][4 * n], 4);
      for (int k = 0; k < config.row_bytes[a]; ++k) {
        sum += byte(tiles[a][m][k], a_signed) * byte(tiles[b][k / 4][4 * n + k % 4], b_signed);
      }
      std::memcpy(&tiles[c][m][4 * n], &sum, 4);
    }
  }
  return nullptr;
}

const char* execute(const Instruction& it) {
  switch (it.opcode) {
    case 0x49:
      if (it.memory && it.prefix == 0) return load_config(it.address);
      if (it.memory && it.prefix == 1) return std::memcpy(it.address, &config, sizeof config), nullptr;
      if (it.prefix == 0) return config = {}, nullptr;  // TILERELEASE
      if (!usable(it.reg)) return "tile is not configured";
      return std::memset(tiles[it.reg], 0, sizeof tiles[it.reg]), nullptr;  // TILEZERO
    case 0x4B:
      return it.memory ? move_tile(it, it.prefix == 2) : "unknown instruction";
    case 0x5E:
      return it.memory ? "unknown instruction" : multiply(it);
    default:
      return "unknown instruction";
  }
}

void on_illegal_instruction(int, siginfo_t*, void* context) {
  greg_t* registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  Instruction it;
  const char* refused = "no instruction of AMX";
  if (decode(reinterpret_cast<const uint8_t*>(registers[REG_RIP]), registers, it)) refused = execute(it);
  if (refused == nullptr) {
    emulated.fetch_add(1, std::memory_order_relaxed);
    registers[REG_RIP] = reinterpret_cast<greg_t>(it.next);
    return;
  }
  const char* parts[] = {"AMX emulator: ", refused, "\n"};
  for (const char* part : parts) {
    if (write(STDERR_FILENO, part, std::strlen(part)) < 0) break;
  }
  signal(SIGILL, SIG_DFL);  // The instruction is met again, and ends the process.
}

}  // namespace

void emulate_amx() {
  struct sigaction action = {};
  action.sa_sigaction = on_illegal_instruction;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, nullptr);
}

long emulated_instructions() { return emulated.load(); }

}  // namespace logit_audit::test
