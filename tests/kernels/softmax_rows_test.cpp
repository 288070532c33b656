#include "kernels/softmax_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/random_values.h"

namespace ventris::kernels {
namespace {

using test::narrow;
using test::random_values;
using test::widen;

template <typename T>
class SoftmaxRowsTest : public testing::Test {
 protected:
  static constexpr double kTolerance = sizeof(T) == 2 ? 0.005 : 2e-6;
};
using Types = testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(SoftmaxRowsTest, Types);

constexpr int64_t kRows = 3;

TYPED_TEST(SoftmaxRowsTest, GiveLogSumsLargestColumnsAndGradients) {
  for (const int64_t vocab : {2, 5, 16, 53, 1000}) {
    auto products = narrow<TypeParam>(random_values(kRows * vocab, 7));
    const auto before = widen(products), bias = random_values(vocab, 8);
    std::vector<float> memory(static_cast<size_t>(vocab)), log_sums(kRows), of_bias(static_cast<size_t>(vocab), 1);
    std::vector<int64_t> largest(kRows);
    const ProductRows<TypeParam> rows{products.data(), bias.data(), kRows, vocab};
    const auto& kernels = softmax_rows_kernels<TypeParam>();
    kernels.log_sums(rows, memory.data(), log_sums.data());
    kernels.largest(rows, memory.data(), largest.data());
    const std::vector<int64_t> columns{0, vocab - 1, 0};  // the shares of column 0 add up
    const std::vector<float> shares{0.2F, 0.5F, 0.3F, 0, 1, 0, 0.6F, 0, 0.4F};
    constexpr float kWeight = 1.5F;
    kernels.gradient(rows, log_sums.data(), {columns.data(), 3, shares.data()}, kWeight, memory.data(), of_bias.data());
    const auto found = widen(products);
    std::vector<double> sums(static_cast<size_t>(vocab), 1);
    for (int64_t i = 0; i < kRows; ++i) {
      const auto logit = [&](int64_t j) { return static_cast<double>(before[i * vocab + j]) + bias[j]; };
      double sum = 0;
      for (int64_t j = 0; j < vocab; ++j) sum += std::exp(logit(j));
      EXPECT_NEAR(log_sums[i], std::log(sum), 1e-5);
      for (int64_t j = 0; j < vocab; ++j) EXPECT_LE(logit(j), logit(largest[i]) + 1e-6);
      for (int64_t j = 0; j < vocab; ++j) {
        double expected = std::exp(logit(j)) / sum;
        for (size_t k = 0; k < columns.size(); ++k) {
          if (columns[k] == j) expected -= shares[static_cast<size_t>(i) * 3 + k];
        }
        EXPECT_NEAR(found[i * vocab + j], kWeight * expected, TestFixture::kTolerance) << vocab << " " << i << " " << j;
        sums[j] += kWeight * expected;
      }
    }
    for (int64_t j = 0; j < vocab; ++j) EXPECT_NEAR(of_bias[j], sums[j], 1e-4);
  }
}

TYPED_TEST(SoftmaxRowsTest, ARowWithANaNHasNoLogSumAndSomeLargestColumn) {
  for (const int64_t place : {0, 3, 39}) {
    std::vector<float> values(40, 0), bias(40, 0), memory(40);
    values[place] = std::numeric_limits<float>::quiet_NaN();
    auto products = narrow<TypeParam>(values);
    const ProductRows<TypeParam> rows{products.data(), bias.data(), 1, 40};
    float log_sum = 0;
    int64_t largest = -1;
    softmax_rows_kernels<TypeParam>().log_sums(rows, memory.data(), &log_sum);
    softmax_rows_kernels<TypeParam>().largest(rows, memory.data(), &largest);
    EXPECT_TRUE(std::isnan(log_sum)) << place;
    EXPECT_TRUE(largest >= 0 && largest < 40) << place;
  }
}

TYPED_TEST(SoftmaxRowsTest, TheFirstOfEqualLargestColumnsIsFoundAndZeroForNaN) {
  std::vector<float> values(40, 0);
  values[17] = values[30] = 2;
  const std::vector<float> bias(40, 0);
  std::vector<float> memory(40);
  int64_t found = -1;
  for (const bool broken : {false, true}) {
    if (broken) values.assign(40, std::numeric_limits<float>::quiet_NaN());
    auto products = narrow<TypeParam>(values);
    softmax_rows_kernels<TypeParam>().largest({products.data(), bias.data(), 1, 40}, memory.data(), &found);
    EXPECT_EQ(found, broken ? 0 : 17);
  }
}

}  // namespace
}  // namespace ventris::kernels
