#include "metrics/numpy_random.h"

#include <array>
#include <bit>
#include <cstddef>

namespace ventris::metrics {
namespace {

constexpr std::size_t kPoolSize = 4;
using Pool = std::array<uint32_t, kPoolSize>;

/// A hash function whose constant changes with every use.
class ChangingHash {
 public:
  ChangingHash(uint32_t constant, uint32_t multiplier) : constant_(constant), multiplier_(multiplier) {}

  uint32_t operator()(uint32_t value) {
    value ^= constant_;
    constant_ *= multiplier_;
    value *= constant_;
    return value ^ (value >> 16U);
  }

 private:
  uint32_t constant_, multiplier_;
};

uint32_t mix(uint32_t x, uint32_t y) {
  const uint32_t mixed = 0xCA01F9DDU * x - 0x4973F715U * y;
  return mixed ^ (mixed >> 16U);
}

Pool entropy_pool(uint64_t seed) {
  const Pool entropy{static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32U)};
  Pool pool{};
  ChangingHash hash(0x43B0D7E5U, 0x931E8875U);
  for (std::size_t i = 0; i < kPoolSize; ++i) pool[i] = hash(entropy[i]);
  for (std::size_t from = 0; from < kPoolSize; ++from) {
    for (std::size_t to = 0; to < kPoolSize; ++to) {
      if (from != to) pool[to] = mix(pool[to], hash(pool[from]));
    }
  }
  return pool;
}

}  // namespace

NumpyRandom::NumpyRandom(uint64_t seed) {
  const Pool pool = entropy_pool(seed);
  ChangingHash hash(0x8B51F9DDU, 0x58F38DEDU);
  std::array<uint64_t, 4> words{};  // state, then stream; the upper half of each comes first
  for (std::size_t i = 0; i < words.size(); ++i) {
    const uint64_t lower = hash(pool[2 * i % kPoolSize]);
    words[i] = lower | uint64_t{hash(pool[(2 * i + 1) % kPoolSize])} << 32U;
  }
  increment_ = (uint128{words[2]} << 64U | words[3]) << 1U | 1U;
  state_ = increment_ + (uint128{words[0]} << 64U | words[1]);
  next64();
}

uint64_t NumpyRandom::next64() {
  constexpr uint128 kMultiplier = uint128{0x2360ED051FC65DA4U} << 64U | 0x4385DF649FCCF645U;
  state_ = state_ * kMultiplier + increment_;
  const auto folded = static_cast<uint64_t>(state_ >> 64U) ^ static_cast<uint64_t>(state_);
  return std::rotr(folded, static_cast<int>(state_ >> 122U));
}

uint32_t NumpyRandom::next32() {
  has_upper_half_ = !has_upper_half_;
  if (!has_upper_half_) return upper_half_;
  const uint64_t both = next64();
  upper_half_ = static_cast<uint32_t>(both >> 32U);
  return static_cast<uint32_t>(both);
}

uint32_t NumpyRandom::below(uint32_t bound) {
  if (bound <= 1) return 0;
  uint64_t product = uint64_t{next32()} * bound;
  if (static_cast<uint32_t>(product) < bound) {
    const uint32_t threshold = (0U - bound) % bound;
    while (static_cast<uint32_t>(product) < threshold) product = uint64_t{next32()} * bound;
  }
  return static_cast<uint32_t>(product >> 32U);
}

bool CoinTosses::next() {
  if (left_ == 0) {
    bits_ = random_.next32();
    left_ = 32;
  } else {
    bits_ >>= 1U;
  }
  --left_;
  return (bits_ & 1U) != 0;
}

}  // namespace ventris::metrics
