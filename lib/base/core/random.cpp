#include "core/random.h"

#include <numeric>
#include <utility>

namespace ventris::core {

std::array<uint32_t, 4> philox(const std::array<uint32_t, 4>& counter, const std::array<uint32_t, 2>& key) {
  constexpr uint64_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
  constexpr uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
  std::array<uint32_t, 4> c = counter;
  uint32_t k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; ++round) {
    const uint64_t product0 = kMultiplier0 * c[0], product1 = kMultiplier1 * c[2];
    c = {static_cast<uint32_t>(product1 >> 32) ^ c[1] ^ k0, static_cast<uint32_t>(product1),
         static_cast<uint32_t>(product0 >> 32) ^ c[3] ^ k1, static_cast<uint32_t>(product0)};
    k0 += kWeyl0;
    k1 += kWeyl1;
  }
  return c;
}

uint64_t RandomStream::bits(uint64_t index) const {
  const auto block = philox({static_cast<uint32_t>(index), static_cast<uint32_t>(index >> 32),
                             static_cast<uint32_t>(stream_), static_cast<uint32_t>(stream_ >> 32)},
                            {static_cast<uint32_t>(seed_), static_cast<uint32_t>(seed_ >> 32)});
  return static_cast<uint64_t>(block[1]) << 32 | block[0];
}

double RandomStream::uniform(uint64_t index) const { return static_cast<double>(bits(index) >> 11) * 0x1p-53; }

uint64_t RandomStream::below(uint64_t index, uint64_t limit) const {
  __extension__ using uint128 = unsigned __int128;
  return static_cast<uint64_t>((static_cast<uint128>(bits(index)) * limit) >> 64);
}

uint64_t derive_seed(uint64_t seed, uint64_t first, uint64_t second, uint64_t third) {
  return RandomStream(RandomStream(seed, first).bits(second), third).bits(0);
}

std::vector<uint32_t> shuffled_indices(uint32_t size, uint64_t seed, uint64_t stream) {
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  const RandomStream random(seed, stream);
  for (uint32_t left = size; left > 1; --left) std::swap(order[left - 1], order[random.below(left, left)]);
  return order;
}

}  // namespace ventris::core
