#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <vector>

#include "arithmetic/kernels.h"

/// Products as plain loops in double, and the operands of products packed as the kernels want them.
namespace ventris::test {

inline size_t at(int64_t index) { return static_cast<size_t>(index); }

/// b [k, n] -> [panels_of(n)][ceil(k / group)][kPanel][group], padded with zeros.
template <typename T>
std::vector<T> packed(const std::vector<T>& b, int64_t k, int64_t n, int64_t group) {
  const int64_t steps = (k + group - 1) / group;
  std::vector<T> all(at(arithmetic::panels_of(n) * steps * arithmetic::kPanel * group));
  for (int64_t i = 0; i < k; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      const int64_t place = (j / arithmetic::kPanel * steps + i / group) * arithmetic::kPanel + j % arithmetic::kPanel;
      all[at(place * group + i % group)] = b[at(i * n + j)];
    }
  }
  return all;
}

/// rows [count, width], with `stride` elements from row to row, from [count, width]; the rest is `padding`.
template <typename T>
std::vector<T> spread(const std::vector<T>& rows, int64_t width, int64_t stride, T padding) {
  const int64_t count = width == 0 ? 0 : static_cast<int64_t>(rows.size()) / width;
  std::vector<T> all(at(count * stride), padding);
  for (int64_t row = 0; row < count; ++row) {
    std::copy_n(rows.begin() + row * width, width, all.begin() + row * stride);
  }
  return all;
}

/// A number, and the sum of the sizes of what was added up; rounding errors are proportional to it.
struct Sum {
  double value = 0;
  double size = 0;
  void add(double x) {
    value += x;
    size += std::abs(x);
  }
};

inline double activated(double x, arithmetic::Activation activation) {
  if (activation == arithmetic::Activation::kRelu) return std::max(x, 0.0);
  if (activation == arithmetic::Activation::kGelu) return 0.5 * x * (1 + std::erf(x / std::sqrt(2.0)));
  if (activation == arithmetic::Activation::kSilu) return x / (1 + std::exp(-x));
  if (activation == arithmetic::Activation::kGeluTanh) {
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
  }
  if (activation == arithmetic::Activation::kGeluSigmoid) return x / (1 + std::exp(-1.702 * x));
  return x;
}

/// The product of row `row` of a [rows, k] and column `column` of b [k, n].
template <typename A, typename B, typename Value>
Sum plain_product(const std::vector<A>& a, const std::vector<B>& b, int64_t k, int64_t n, int64_t row, int64_t column,
                  const Value& value) {
  Sum sum;
  for (int64_t i = 0; i < k; ++i) {
    sum.add(static_cast<double>(value(a[at(row * k + i)])) * static_cast<double>(value(b[at(i * n + column)])));
  }
  return sum;
}

inline std::vector<double> plain_softmax(const float* x, size_t count) {
  const double largest = *std::max_element(x, x + count);
  std::vector<double> weights(count);
  for (size_t i = 0; i < count; ++i) weights[i] = std::exp(x[i] - largest);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
}

inline float widened(uint16_t bf16) { return std::bit_cast<float>(uint32_t{bf16} << 16); }

/// The nearest bfloat16, by comparing candidates; of two equally near ones the even one.
inline uint16_t nearest_bf16(float value) {
  const auto below = static_cast<uint16_t>(std::bit_cast<uint32_t>(value) >> 16);
  const auto above = static_cast<uint16_t>(below + 1);
  const double to_below = std::abs(static_cast<double>(value) - static_cast<double>(widened(below)));
  const double to_above = std::abs(static_cast<double>(widened(above)) - static_cast<double>(value));
  if (to_below == to_above) return below % 2 == 0 ? below : above;
  return to_below < to_above ? below : above;
}

}  // namespace ventris::test
