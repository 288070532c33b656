#pragma once
#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/element_kernels.h"

namespace ventris::test {

/// Numbers between -2 and 2, the same every time.
inline std::vector<float> random_values(int64_t count, uint32_t seed) {
  std::mt19937 draw(seed);
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = static_cast<float>(draw() % 4001) / 1000.0F - 2.0F;
  return values;
}

inline float widen(kernels::BFloat16 value) { return std::bit_cast<float>(uint32_t{value.bits} << 16); }
inline float widen(float value) { return value; }

template <typename T>
std::vector<T> narrow(const std::vector<float>& values);

template <>
inline std::vector<float> narrow(const std::vector<float>& values) {
  return values;
}

/// Cut off, not rounded: widen() gives what the kernels see.
template <>
inline std::vector<kernels::BFloat16> narrow(const std::vector<float>& values) {
  std::vector<kernels::BFloat16> result;
  for (const float value : values) result.push_back({static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16)});
  return result;
}

template <typename T>
std::vector<float> widen(const std::vector<T>& values) {
  std::vector<float> result;
  for (const T value : values) result.push_back(widen(value));
  return result;
}

/// The factors of a draw's first elements.
inline std::vector<float> factors_of(const kernels::DropDraw& draw, int64_t count) {
  const std::vector<float> ones(static_cast<size_t>(count), 1.0F);
  std::vector<float> factors(ones.size());
  kernels::element_kernels<float>().drop(ones.data(), factors.data(), 0, count, draw);
  return factors;
}

}  // namespace ventris::test
