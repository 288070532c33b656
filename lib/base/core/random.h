#pragma once
#include <array>
#include <cstdint>
#include <vector>

/// Counter-based random numbers: each value is a function of (seed, stream, index) alone, so there is no state to save,
/// and any draw of any epoch can be computed from its position. Philox 4x32-10 (Salmon et al. 2011, "Parallel random
/// numbers: as easy as 1, 2, 3"), checked against its published test vectors.
namespace ventris::core {

/// The raw block function: four words from a 128-bit counter and a 64-bit key.
std::array<uint32_t, 4> philox(const std::array<uint32_t, 4>& counter, const std::array<uint32_t, 2>& key);

/// The sequence of (seed, stream). Its draws can be computed in any order.
class RandomStream {
 public:
  RandomStream(uint64_t seed, uint64_t stream) : seed_(seed), stream_(stream) {}

  uint64_t bits(uint64_t index) const;                   ///< uniform 64 bits
  double uniform(uint64_t index) const;                  ///< in [0, 1), 53 bits
  uint64_t below(uint64_t index, uint64_t limit) const;  ///< in [0, limit), limit > 0; bias < 2^-32 for limit < 2^32

 private:
  uint64_t seed_;
  uint64_t stream_;
};

/// A seed for a numbered sub-task, e.g. (run seed, update, replica). Adjacent numbers give unrelated seeds.
uint64_t derive_seed(uint64_t seed, uint64_t first, uint64_t second = 0, uint64_t third = 0);

/// The numbers 0 to size - 1 in a random order that is a function of (seed, stream) (Fisher-Yates).
std::vector<uint32_t> shuffled_indices(uint32_t size, uint64_t seed, uint64_t stream);

}  // namespace ventris::core
