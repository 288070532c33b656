#include "arithmetic/amx_emulator.h"

#if defined(__x86_64__)
#include <ucontext.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace ventris::test {
namespace {

struct Tile {
  int rows = 0, bytes = 0;  // 0 = the tile may not be used
  alignas(64) uint8_t data[16][64] = {};
};

/// What a thread's tiles hold.
struct State {
  Tile tiles[8];
  long products = 0;
};
thread_local State state;

[[noreturn]] void stop(const char* reason) {
  // In a handler of signals, only this is safe.
  const char* start = "AMX emulator: ";
  if (write(STDERR_FILENO, start, std::strlen(start)) < 0 || write(STDERR_FILENO, reason, std::strlen(reason)) < 0 ||
      write(STDERR_FILENO, "\n", 1) < 0) {
    _exit(1);
  }
  std::abort();
}

void check(bool condition, const char* reason) {
  if (!condition) stop(reason);
}

/// An instruction with a VEX prefix of three bytes, of the map 0F38.
struct Instruction {
  int prefix;  // 0 = none, 1 = 66, 2 = F3, 3 = F2
  int opcode;
  int mod, reg, rm;
  int second_source;  // VEX.vvvv
  uint64_t address;   // if mod is not 3
  int64_t stride;     // the register that is the index, 0 if there is none
  int length;
};

uint64_t register_of(const ucontext_t& context, int number) {
  constexpr int kPlaces[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  return static_cast<uint64_t>(context.uc_mcontext.gregs[kPlaces[number]]);
}

/// Reads the operand in memory, whose bytes begin at `at`.
void read_address(const ucontext_t& context, const uint8_t* at, int extra_index, int extra_base, Instruction& read) {
  const uint8_t* next = at;
  const uint64_t start = read.address;
  if (read.rm == 4) {
    const int scale = *next >> 6, index = ((*next >> 3) & 7) | extra_index, base = (*next & 7) | extra_base;
    ++next;
    check((base & 7) != 5 || read.mod != 0, "an address without a base");
    read.address = register_of(context, base);
    if (index != 4) {
      read.stride = static_cast<int64_t>(register_of(context, index)) << scale;
      if (read.opcode == 0x49) read.address += static_cast<uint64_t>(read.stride);
    }
  } else if (read.mod == 0 && read.rm == 5) {  // relative to the next instruction
    int32_t offset;
    std::memcpy(&offset, next, sizeof offset);
    next += 4;
    read.length += static_cast<int>(next - at);
    read.address = start + static_cast<uint64_t>(read.length) + static_cast<uint64_t>(int64_t{offset});
    return;
  } else {
    read.address = register_of(context, read.rm | extra_base);
  }
  int64_t offset = 0;
  if (read.mod == 1) {
    offset = (*next++ ^ 0x80) - 0x80;  // with its sign
  } else if (read.mod == 2) {
    int32_t wide;
    std::memcpy(&wide, next, sizeof wide);
    offset = wide;
    next += 4;
  }
  read.address += static_cast<uint64_t>(offset);
  read.length += static_cast<int>(next - at);
}

Instruction instruction_at(const ucontext_t& context) {
  const auto place = static_cast<uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
  const auto* bytes = reinterpret_cast<const uint8_t*>(place);  // NOLINT(performance-no-int-to-ptr)
  check(bytes[0] == 0xC4 && (bytes[1] & 0x1F) == 2 && (bytes[2] & 0x84) == 0, "not an instruction of AMX");
  Instruction read{};
  read.prefix = bytes[2] & 3;
  read.opcode = bytes[3];
  read.mod = bytes[4] >> 6;
  read.reg = (bytes[4] >> 3) & 7;
  read.rm = bytes[4] & 7;
  read.second_source = (~bytes[2] >> 3) & 15;
  read.length = 5;
  read.address = place;
  if (read.mod != 3) {
    read_address(context, bytes + 5, (bytes[1] & 0x40) != 0 ? 0 : 8, (bytes[1] & 0x20) != 0 ? 0 : 8, read);
  }
  return read;
}

void configure(const uint8_t* from) {
  check(from[0] == 1 && from[1] == 0, "an unknown palette");
  for (int i = 0; i < 8; ++i) {
    uint16_t bytes;
    std::memcpy(&bytes, from + 16 + ptrdiff_t{2} * i, sizeof bytes);
    const int rows = from[48 + i];
    check(bytes <= 64 && rows <= 16 && (bytes == 0) == (rows == 0), "a tile of a wrong size");
    state.tiles[i] = Tile{.rows = rows, .bytes = bytes};
  }
}

Tile& tile(int number) {
  check(number < 8, "a tile that does not exist");
  check(state.tiles[number].rows > 0, "a tile without a size");
  return state.tiles[number];
}

/// sums[m][n] += the four products of the bytes of a[m][k] (without a sign) and b[k][n] (with one).
void add_products_of_bytes(Tile& sums, const Tile& a, const Tile& b) {
  for (int m = 0; m < sums.rows; ++m) {
    for (int k = 0; k < a.bytes / 4; ++k) {
      for (int n = 0; n < sums.bytes / 4; ++n) {
        int32_t sum;
        std::memcpy(&sum, &sums.data[m][ptrdiff_t{4} * n], sizeof sum);
        for (int i = 0; i < 4; ++i)
          sum += a.data[m][ptrdiff_t{4} * k + i] * static_cast<int8_t>(b.data[k][ptrdiff_t{4} * n + i]);
        std::memcpy(&sums.data[m][ptrdiff_t{4} * n], &sum, sizeof sum);
      }
    }
  }
}

float bf16_at(const uint8_t* from) {
  uint16_t half;
  std::memcpy(&half, from, sizeof half);
  const float value = std::bit_cast<float>(uint32_t{half} << 16U);
  return std::fpclassify(value) == FP_SUBNORMAL ? 0.0F : value;
}

/// The products of the first of each pair are added up in one sum, those of the second in another, and then both are
/// added to sums[m][n].
void add_products_of_bf16(Tile& sums, const Tile& a, const Tile& b) {
  for (int m = 0; m < sums.rows; ++m) {
    for (int n = 0; n < sums.bytes / 4; ++n) {
      float parts[2] = {};
      for (int k = 0; k < a.bytes / 4; ++k) {
        for (int i = 0; i < 2; ++i) {
          parts[i] = std::fma(bf16_at(&a.data[m][ptrdiff_t{4} * k + ptrdiff_t{2} * i]),
                              bf16_at(&b.data[k][ptrdiff_t{4} * n + ptrdiff_t{2} * i]), parts[i]);
        }
      }
      float sum;
      std::memcpy(&sum, &sums.data[m][ptrdiff_t{4} * n], sizeof sum);
      sum += parts[0] + parts[1];
      std::memcpy(&sums.data[m][ptrdiff_t{4} * n], &sum, sizeof sum);
    }
  }
}

void multiply(const Instruction& read) {
  Tile& sums = tile(read.reg);
  const Tile &a = tile(read.rm), &b = tile(read.second_source);
  check(&sums != &a && &sums != &b && &a != &b, "a tile that is used twice");
  check(sums.rows == a.rows && sums.bytes == b.bytes && a.bytes == 4 * b.rows, "tiles that do not fit together");
  ++state.products;
  if (read.opcode == 0x5E && read.prefix == 1) return add_products_of_bytes(sums, a, b);
  if (read.opcode == 0x5C && read.prefix == 2) return add_products_of_bf16(sums, a, b);
  stop("a product that is not known");
}

void move(const Instruction& read) {
  Tile& moved = tile(read.reg);
  for (int row = 0; row < moved.rows; ++row) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is that of the program
    auto* memory = reinterpret_cast<uint8_t*>(read.address) + row * read.stride;
    if (read.prefix == 2) {
      std::memcpy(memory, moved.data[row], static_cast<size_t>(moved.bytes));
    } else {
      std::memcpy(moved.data[row], memory, static_cast<size_t>(moved.bytes));
    }
  }
}

void execute(const Instruction& read) {
  if (read.opcode == 0x49 && read.mod != 3 && read.prefix == 0) {
    return configure(reinterpret_cast<const uint8_t*>(read.address));  // NOLINT(performance-no-int-to-ptr)
  }
  if (read.opcode == 0x49 && read.mod == 3 && read.prefix == 0) {
    for (Tile& released : state.tiles) released = Tile();
    return;
  }
  if (read.opcode == 0x49 && read.mod == 3 && read.prefix == 3) {
    std::memset(tile(read.reg).data, 0, sizeof(Tile::data));
    return;
  }
  if (read.opcode == 0x4B && read.mod != 3 && (read.prefix == 2 || read.prefix == 3)) return move(read);
  if (read.mod == 3 && (read.opcode == 0x5E || read.opcode == 0x5C)) return multiply(read);
  stop("not an instruction of AMX that is known");
}

void on_illegal_instruction(int, siginfo_t*, void* given) {
  auto& context = *static_cast<ucontext_t*>(given);
  const Instruction read = instruction_at(context);
  execute(read);
  context.uc_mcontext.gregs[REG_RIP] += read.length;
}

}  // namespace

AmxEmulator::AmxEmulator() {
  struct sigaction action = {};
  action.sa_sigaction = on_illegal_instruction;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGILL, &action, &before_);
}

AmxEmulator::~AmxEmulator() { sigaction(SIGILL, &before_, nullptr); }

long AmxEmulator::products() { return state.products; }

}  // namespace ventris::test
#endif
