#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "arithmetic/matrix.h"
#include "arithmetic/plain_product.h"
#include "support/random_numbers.h"

namespace ventris::test {

inline std::string name_of(arithmetic::Precision precision) {
  return precision == arithmetic::Precision::kF32 ? "f32" : precision == arithmetic::Precision::kBf16 ? "bf16" : "int8";
}

/// Every set of kernels with every precision.
class EveryPrecision : public testing::TestWithParam<std::tuple<const arithmetic::Kernels*, arithmetic::Precision>> {
 protected:
  const arithmetic::Kernels& kernels() const { return *std::get<0>(GetParam()); }
  arithmetic::Precision precision() const { return std::get<1>(GetParam()); }
};

inline std::string set_and_precision(
    const testing::TestParamInfo<std::tuple<const arithmetic::Kernels*, arithmetic::Precision>>& both) {
  return std::string(std::get<0>(both.param)->name) + "_" + name_of(std::get<1>(both.param));
}

#define INSTANTIATE_EVERY_PRECISION(suite)                                                                             \
  INSTANTIATE_TEST_SUITE_P(Sets, suite,                                                                                \
                           testing::Combine(testing::ValuesIn(arithmetic::available_kernels()),                        \
                                            testing::Values(arithmetic::Precision::kF32, arithmetic::Precision::kBf16, \
                                                            arithmetic::Precision::kInt8)),                            \
                           test::set_and_precision)

/// A linear layer and inputs for it.
struct Layer {
  Layer(int64_t rows_of_x, int64_t outputs, int64_t width, RandomNumbers& random)
      : rows(rows_of_x),
        n(outputs),
        k(width),
        ldx(k + random.between(0, 3)),
        weight(random.values(n * k)),
        bias(random.values(n)),
        x(random.values(rows * ldx)) {}

  /// x weight^T + bias.
  double plain(int64_t row, int64_t column, bool has_bias) const {
    double sum = has_bias ? static_cast<double>(bias[at(column)]) : 0.0;
    for (int64_t i = 0; i < k; ++i) {
      sum += static_cast<double>(x[at(row * ldx + i)]) * static_cast<double>(weight[at(column * k + i)]);
    }
    return sum;
  }

  /// The largest error of an element: of each input and weight, the relative rounding error in bf16 is
  /// 2^-8, and the absolute one in int8 is half a step.
  double bound(int64_t row, int64_t column, arithmetic::Precision precision) const {
    double sizes = 0, inputs = 0, weights = 0, largest_input = 0;
    for (int64_t i = 0; i < k; ++i) {
      const double input = std::abs(x[at(row * ldx + i)]), one = std::abs(weight[at(column * k + i)]);
      sizes += input * one;
      inputs += input;
      weights += one;
      largest_input = std::max(largest_input, input);
    }
    const double f32 = 1e-5 * (1 + sizes * 0.1);
    if (precision == arithmetic::Precision::kF32) return f32;
    if (precision == arithmetic::Precision::kBf16) return f32 + sizes * (2 + 1.0 / 256) / 256;
    const double half_input = largest_input / 254, half_weight = largest_pair(column) / 254;
    return f32 + inputs * half_weight + weights * half_input + static_cast<double>(k) * half_input * half_weight;
  }

  /// The largest size of a weight of an output, and of the sum of two neighbours.
  double largest_pair(int64_t column) const {
    double largest = 0;
    for (int64_t i = 0; i < k; i += 2) {
      const double first = weight[at(column * k + i)], second = i + 1 < k ? weight[at(column * k + i + 1)] : 0.0F;
      largest = std::max({largest, std::abs(first), std::abs(second), std::abs(first + second)});
    }
    return largest;
  }

  int64_t rows, n, k, ldx;
  std::vector<float> weight, bias, x;
};

}  // namespace ventris::test
