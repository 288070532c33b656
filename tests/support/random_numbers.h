#pragma once
#include <cstdint>
#include <random>
#include <vector>

namespace ventris::test {

/// Random numbers, the same in every run.
class RandomNumbers {
 public:
  explicit RandomNumbers(uint32_t seed) : draw_(seed) {}

  /// A whole number from `first` to `last`.
  int64_t between(int64_t first, int64_t last) {
    return first + static_cast<int64_t>(draw_() % static_cast<uint32_t>(last - first + 1));
  }
  bool coin() { return between(0, 1) == 1; }
  float value() { return static_cast<float>(between(-200000, 200000)) * 1e-5F; }  ///< in [-2, 2]

  std::vector<float> values(int64_t count) {
    std::vector<float> all(static_cast<size_t>(count));
    for (float& one : all) one = value();
    return all;
  }
  /// Multiples of 1/8 from -1 to 1: sums of their products are exact in f32, in any order.
  std::vector<float> eighths(int64_t count) {
    std::vector<float> all(static_cast<size_t>(count));
    for (float& one : all) one = static_cast<float>(between(-8, 8)) / 8.0F;
    return all;
  }

 private:
  std::mt19937 draw_;
};

}  // namespace ventris::test
