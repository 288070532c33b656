#include "kernels/layer_norm_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/random_values.h"

namespace ventris::kernels {
namespace {

using test::narrow;
using test::random_values;
using test::widen;

constexpr int64_t kRows = 3;
constexpr float kEpsilon = 1e-5F;

/// Everything as the definition has it, in double, a row at a time.
struct Plain {
  Plain(const std::vector<float>& x, const std::vector<float>& gain, const std::vector<float>& bias,
        const std::vector<float>& of_out, int64_t width)
      : of_gain(gain.size()), of_bias(gain.size()) {
    for (int64_t i = 0; i < kRows; ++i) row(x.data() + i * width, gain, bias, of_out.data() + i * width, width);
  }

  void row(const float* x, const std::vector<float>& gain, const std::vector<float>& bias, const float* outer,
           int64_t width) {
    const auto n = static_cast<double>(width);
    const double mean = std::accumulate(x, x + width, 0.0) / n;
    double variance = 0, mean_gradient = 0, mean_product = 0;
    for (int64_t j = 0; j < width; ++j) variance += (x[j] - mean) * (x[j] - mean) / n;
    const double inverse = 1 / std::sqrt(variance + kEpsilon);
    for (int64_t j = 0; j < width; ++j) {
      const auto at = static_cast<size_t>(j);
      const double normal = (x[j] - mean) * inverse;
      out.push_back(normal * gain[at] + bias[at]);
      of_gain[at] += outer[j] * normal;
      of_bias[at] += outer[j];
      mean_gradient += outer[j] * gain[at] / n;
      mean_product += outer[j] * gain[at] * normal / n;
    }
    for (int64_t j = 0; j < width; ++j) {
      const double normal = (x[j] - mean) * inverse;
      of_x.push_back(inverse * (outer[j] * gain[static_cast<size_t>(j)] - mean_gradient - normal * mean_product));
    }
  }

  std::vector<double> out, of_x, of_gain, of_bias;
};

void expect_close(const std::vector<float>& found, const std::vector<double>& expected, double rounding) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], std::abs(expected[i]) * rounding + 1e-5) << i;
  }
}

template <typename T>
struct LayerNormKernelsTest : testing::Test {};
using Types = testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(LayerNormKernelsTest, Types);

TYPED_TEST(LayerNormKernelsTest, AgreeWithTheDefinitionAtAnyWidth) {
  using T = TypeParam;
  for (const int64_t width : {1, 2, 15, 16, 17, 128, 515}) {
    SCOPED_TRACE(width);
    const auto x = random_values(kRows * width, 1), gain = random_values(width, 2), bias = random_values(width, 3);
    const auto of_out = narrow<T>(random_values(kRows * width, 4));
    const Plain plain(x, gain, bias, widen(of_out), width);

    std::vector<float> mean(kRows), inverse(kRows), of_x(x.size()), of_gain(gain.size()), of_bias(gain.size());
    std::vector<T> out(x.size());
    const NormRows rows{x.data(), gain.data(), kRows, width, mean.data(), inverse.data()};
    layer_norm_kernels<T>().forward(rows, bias.data(), kEpsilon, out.data());
    expect_close(widen(out), plain.out, sizeof(T) == 2 ? 1.0 / 256 : 1e-5);
    layer_norm_kernels<T>().backward(rows, of_out.data(), nullptr, of_x.data(), of_gain.data(), of_bias.data());
    if (width > 1) expect_close(of_x, plain.of_x, 1e-3);
    expect_close(of_gain, plain.of_gain, 1e-4);
    expect_close(of_bias, plain.of_bias, 1e-5);
  }
}

TEST(LayerNormKernels, WhatReachesXOnAnotherWayIsAddedToItsGradient) {
  constexpr int64_t kWidth = 19;
  const auto x = random_values(kWidth * kRows, 1), gain = random_values(kWidth, 2);
  const auto of_out = random_values(kWidth * kRows, 3), residual = random_values(kWidth * kRows, 4);
  std::vector<float> mean(kRows), inverse(kRows), out(x.size()), alone(x.size()), both(x.size()), unused(kWidth);
  const NormRows rows{x.data(), gain.data(), kRows, kWidth, mean.data(), inverse.data()};
  layer_norm_kernels<float>().forward(rows, gain.data(), kEpsilon, out.data());
  layer_norm_kernels<float>().backward(rows, of_out.data(), nullptr, alone.data(), unused.data(), unused.data());
  layer_norm_kernels<float>().backward(rows, of_out.data(), residual.data(), both.data(), unused.data(), unused.data());
  for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(both[i], alone[i] + residual[i], 1e-5) << i;
}

TEST(LayerNormKernels, ParameterGradientsAreAddedToWhatIsThere) {
  const auto x = random_values(2 * kRows, 1), gain = random_values(2, 2), of_out = random_values(2 * kRows, 3);
  std::vector<float> mean(kRows), inverse(kRows), out(x.size()), of_x(x.size());
  const NormRows rows{x.data(), gain.data(), kRows, 2, mean.data(), inverse.data()};
  layer_norm_kernels<float>().forward(rows, gain.data(), kEpsilon, out.data());
  std::vector<float> once(2), twice(2), bias_once(2), bias_twice(2);
  layer_norm_kernels<float>().backward(rows, of_out.data(), nullptr, of_x.data(), once.data(), bias_once.data());
  for (int i = 0; i < 2; ++i) {
    layer_norm_kernels<float>().backward(rows, of_out.data(), nullptr, of_x.data(), twice.data(), bias_twice.data());
  }
  for (size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(twice[j], 2 * once[j], 1e-5);
    EXPECT_NEAR(bias_twice[j], 2 * bias_once[j], 1e-5);
  }
}

}  // namespace
}  // namespace ventris::kernels
