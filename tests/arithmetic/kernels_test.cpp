#include "arithmetic/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <numeric>

#include "arithmetic/every_kernel_set.h"
#include "arithmetic/plain_product.h"
#include "core/error.h"
#include "support/random_numbers.h"

namespace ventris::arithmetic {
namespace {

using test::at;
using test::plain_softmax;
using test::RandomNumbers;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

class KernelsTest : public test::EveryKernelSet {};
INSTANTIATE_EVERY_KERNEL_SET(KernelsTest);

/// A row in 8-bit integers.
struct Quantised {
  std::vector<uint8_t> bytes;
  float scale = -1;
};

Quantised quantised(const Kernels& kernels, const std::vector<float>& x) {
  Quantised row;
  const auto k = static_cast<int64_t>(x.size());
  row.bytes.resize(at((k + 3) / 4 * 4));
  kernels.quantise(x.data(), k, 1, k, row.bytes.data(), &row.scale);
  return row;
}

TEST_P(KernelsTest, QuantiseRoundsToTheNearestOf255Values) {
  RandomNumbers random(1);
  for (int64_t k = 1; k <= 70; ++k) {
    const std::vector<float> x = random.values(k);
    const Quantised row = quantised(kernels(), x);
    float most = 0;
    for (const float value : x) most = std::max(most, std::abs(value));
    ASSERT_FLOAT_EQ(row.scale, most / 127.0F);
    for (size_t i = 0; i < x.size(); ++i) {
      ASSERT_GE(row.bytes[i], 1);
      ASSERT_NEAR(static_cast<float>(row.bytes[i] - 128) * row.scale, x[i], 0.50001F * row.scale);
    }
    for (size_t i = x.size(); i < row.bytes.size(); ++i) ASSERT_EQ(row.bytes[i], 128) << "padding of " << k;
  }
}

TEST_P(KernelsTest, QuantiseTakesEachRowByItself) {
  RandomNumbers random(2);
  for (const int64_t k : {3, 16, 37}) {
    const int64_t rows = 5, ldx = k + 6, stride = (k + 3) / 4 * 4;
    const std::vector<float> x = random.values(rows * ldx);
    std::vector<uint8_t> bytes(at(rows * stride + 64), 7);
    std::vector<float> scales(at(rows + 1), -7);
    kernels().quantise(x.data(), ldx, rows, k, bytes.data(), scales.data());
    for (int64_t row = 0; row < rows; ++row) {
      const auto alone = quantised(kernels(), {x.begin() + row * ldx, x.begin() + row * ldx + k});
      EXPECT_EQ(std::vector<uint8_t>(bytes.begin() + row * stride, bytes.begin() + (row + 1) * stride), alone.bytes);
      EXPECT_EQ(scales[at(row)], alone.scale);
    }
    EXPECT_EQ(std::count(bytes.begin() + rows * stride, bytes.end(), 7), 64) << "bytes after the rows";
    EXPECT_EQ(scales.back(), -7);
  }
}

TEST_P(KernelsTest, QuantiseOfZerosIsZero) {
  const Quantised row = quantised(kernels(), std::vector<float>(37, 0.0F));
  EXPECT_EQ(row.scale, 0);
  for (const uint8_t byte : row.bytes) EXPECT_EQ(byte, 128);
}

TEST_P(KernelsTest, QuantiseOfOneLargeValueRoundsTheSmallOnesToZero) {
  for (size_t large = 0; large < 37; ++large) {
    std::vector<float> x(37, 0.3F);
    x[large] = -127;
    const Quantised row = quantised(kernels(), x);
    EXPECT_EQ(row.scale, 1);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(row.bytes[i], i == large ? 1 : 128);
  }
}

TEST_P(KernelsTest, QuantiseOfNaNHasTheScaleNaN) {
  for (size_t at = 0; at < 37; ++at) {
    std::vector<float> x(37, 0.3F);
    x[at] = kNaN;
    EXPECT_TRUE(std::isnan(quantised(kernels(), x).scale)) << "element " << at;
  }
}

std::vector<uint16_t> as_bf16(const Kernels& kernels, const std::vector<float>& x) {
  const auto k = static_cast<int64_t>(x.size());
  std::vector<uint16_t> halves(at((k + 1) / 2 * 2), 7);
  kernels.to_bf16(x.data(), k, 1, k, halves.data());
  return halves;
}

TEST_P(KernelsTest, Bfloat16IsTheNearestAndEvenOne) {
  RandomNumbers random(3);
  std::vector<float> x = random.values(1000);
  for (int i = 0; i < 8; ++i) x.push_back(1 + static_cast<float>(i) / 256);  // every other one lies between two
  for (const float value : {0.0F, -0.0F, 1e-39F, 3.39e38F, kInfinity, -kInfinity}) x.push_back(value);
  const auto halves = as_bf16(kernels(), x);
  for (size_t i = 0; i < x.size(); ++i) {
    const uint16_t expected = std::isinf(x[i]) ? (x[i] > 0 ? 0x7f80 : 0xff80) : test::nearest_bf16(x[i]);
    ASSERT_EQ(halves[i], expected) << x[i];
  }
  EXPECT_EQ(test::widened(as_bf16(kernels(), {1 + 1.0F / 256})[0]), 1.0F);
  EXPECT_EQ(test::widened(as_bf16(kernels(), {1 + 3.0F / 256})[0]), 1 + 4.0F / 256);
}

TEST_P(KernelsTest, Bfloat16OfNaNIsNaN) {
  for (const uint32_t bits : {0x7fc00000U, 0xffc00000U, 0x7fffffffU, 0xffffffffU, 0x7f800001U}) {
    EXPECT_TRUE(std::isnan(test::widened(as_bf16(kernels(), {std::bit_cast<float>(bits)})[0]))) << std::hex << bits;
  }
}

TEST_P(KernelsTest, Bfloat16RowsOfOddWidthEndWithZero) {
  const std::vector<float> x{1, 2, 3, 9, 4, 5, 6, 9};  // two rows of three
  std::vector<uint16_t> halves(9, 7);
  kernels().to_bf16(x.data(), 4, 2, 3, halves.data());
  EXPECT_EQ(halves, (std::vector<uint16_t>{0x3f80, 0x4000, 0x4040, 0, 0x4080, 0x40a0, 0x40c0, 0, 7}));
}

/// The layer norm of one row in double.
std::vector<double> plain_layer_norm(const float* x, const std::vector<float>& gain, const std::vector<float>& bias,
                                     double epsilon) {
  const size_t width = gain.size();
  const double mean = std::accumulate(x, x + width, 0.0) / static_cast<double>(width);
  double variance = 0;
  for (size_t i = 0; i < width; ++i) variance += (x[i] - mean) * (x[i] - mean) / static_cast<double>(width);
  std::vector<double> out(width);
  for (size_t i = 0; i < width; ++i) out[i] = gain[i] * (x[i] - mean) / std::sqrt(variance + epsilon) + bias[i];
  return out;
}

TEST_P(KernelsTest, LayerNormIsThatOfAPlainLoopAlsoInPlace) {
  RandomNumbers random(4);
  for (int64_t width = 1; width <= 70; ++width) {
    const int64_t rows = random.between(1, 4);
    const std::vector<float> gain = random.values(width), bias = random.values(width);
    std::vector<float> x = random.values(rows * width), out(x.size());
    const auto far = static_cast<float>(random.between(-3, 3));
    for (float& value : x) value += far;
    kernels().layer_norm(x.data(), rows, width, gain.data(), bias.data(), 1e-5F, out.data());
    for (int64_t i = 0; i < rows * width; ++i) {
      const auto expected = plain_layer_norm(x.data() + i / width * width, gain, bias, 1e-5);
      ASSERT_NEAR(out[at(i)], expected[at(i % width)], 2e-5) << "width " << width;
    }
    kernels().layer_norm(x.data(), rows, width, gain.data(), bias.data(), 1e-5F, x.data());
    ASSERT_EQ(x, out);
  }
}

TEST_P(KernelsTest, LayerNormOfEqualValuesIsTheBias) {
  const std::vector<float> x(37, 5.0F), gain(37, 2.0F), bias(37, -1.0F);
  std::vector<float> out(37);
  kernels().layer_norm(x.data(), 1, 37, gain.data(), bias.data(), 1e-5F, out.data());
  EXPECT_EQ(out, bias);
}

TEST_P(KernelsTest, RmsNormIsThatOfAPlainLoopAlsoInPlace) {
  RandomNumbers random(14);
  for (int64_t width = 1; width <= 70; ++width) {
    const int64_t rows = random.between(1, 4);
    const std::vector<float> gain = random.values(width);
    std::vector<float> x = random.values(rows * width), out(x.size());
    const auto far = static_cast<float>(random.between(-3, 3));
    for (float& value : x) value += far;
    const float epsilon = random.coin() ? 1e-5F : 0.1F;
    kernels().rms_norm(x.data(), rows, width, gain.data(), epsilon, out.data());
    for (int64_t row = 0; row < rows; ++row) {
      const float* from = x.data() + row * width;
      const double mean_square = std::inner_product(from, from + width, from, 0.0) / static_cast<double>(width);
      for (int64_t i = 0; i < width; ++i) {
        const double expected = gain[at(i)] * from[i] / std::sqrt(mean_square + static_cast<double>(epsilon));
        ASSERT_NEAR(out[at(row * width + i)], expected, 1e-6 * (1 + std::abs(expected))) << "width " << width;
      }
    }
    kernels().rms_norm(x.data(), rows, width, gain.data(), epsilon, x.data());
    ASSERT_EQ(x, out);
  }
}

TEST_P(KernelsTest, RmsNormOfZerosIsZeroAndOfNaNIsNaN) {
  const std::vector<float> gain(37, 2.0F);
  std::vector<float> x(37), out(37, 1.0F);
  kernels().rms_norm(x.data(), 1, 37, gain.data(), 1e-5F, out.data());
  EXPECT_EQ(out, x);
  x[36] = kNaN;
  kernels().rms_norm(x.data(), 1, 37, gain.data(), 1e-5F, out.data());
  for (const float value : out) EXPECT_TRUE(std::isnan(value));
}

TEST_P(KernelsTest, SoftmaxIsThatOfAPlainLoopAndChangesNothingElse) {
  RandomNumbers random(5);
  for (int64_t count = 1; count <= 70; ++count) {
    const int64_t rows = random.between(1, 4), ldx = count + random.between(0, 5);
    std::vector<float> x = random.values(rows * ldx);
    const auto factor = static_cast<float>(random.between(1, 20));  // up to very unequal weights
    for (float& value : x) value *= factor;
    std::vector<float> changed = x;
    kernels().softmax(changed.data(), ldx, rows, count);
    for (int64_t i = 0; i < rows * ldx; ++i) {
      const int64_t column = i % ldx;
      const auto expected = plain_softmax(x.data() + i - column, at(count));
      const bool outside = column >= count;
      ASSERT_NEAR(changed[at(i)], outside ? x[at(i)] : expected[at(column)], outside ? 0 : 1e-6) << count;
    }
  }
}

TEST_P(KernelsTest, SoftmaxOfLargeValuesDoesNotOverflow) {
  for (const float offset : {1e4F, -1e4F, 3e38F}) {
    std::vector<float> x(21, offset);
    x[7] = x[20] = offset * (offset > 0 ? 0.5F : 2.0F);  // far below
    kernels().softmax(x.data(), 21, 1, 21);
    for (size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], i == 7 || i == 20 ? 0 : 1.0 / 19, 1e-7) << offset;
  }
}

TEST_P(KernelsTest, SoftmaxOfOneElementIsOne) {
  for (const float value : {0.0F, 1e30F, -1e30F}) {
    float x = value;
    kernels().softmax(&x, 1, 1, 1);
    EXPECT_EQ(x, 1);
  }
}

TEST_P(KernelsTest, ExponentialsHaveTheirStatedError) {
  for (int i = 0; i <= 870000; ++i) {
    const float x = -1e-4F * static_cast<float>(i);
    float found = x;
    kernels().linear_features(&found, 1, 1, 1);  // elu(x) + 1 is exp(x) below 0
    const double error = found / std::exp(static_cast<double>(x)) - 1;
    ASSERT_LE(std::abs(error), 2e-7 + 1e-7 * std::abs(x)) << x;
  }
}

TEST_P(KernelsTest, SoftmaxWithNaNIsNaN) {
  for (size_t at = 0; at < 37; ++at) {
    std::vector<float> x(37, 0.3F);
    x[at] = kNaN;
    kernels().softmax(x.data(), 37, 1, 37);
    for (const float value : x) EXPECT_TRUE(std::isnan(value)) << "element " << at;
  }
}

TEST_P(KernelsTest, LogitsAddUpOverBlocksToTheirLogSumExp) {
  RandomNumbers random(7);
  for (int round = 0; round < 60; ++round) {
    const int64_t rows = random.between(1, 4);
    std::vector<RunningSum> sums(at(rows), {-kInfinity, 0});
    std::vector<std::vector<float>> all(at(rows));
    for (int64_t block = random.between(1, 5); block > 0; --block) {
      const int64_t count = random.between(1, 70), ldx = count + random.between(0, 5);
      std::vector<float> logits = random.values(rows * ldx), largest(at(rows)), found(at(rows));
      const auto offset = static_cast<float>(random.between(-30, 30));
      for (float& logit : logits) logit = 3 * logit + offset;
      std::vector<RunningSum> maxima = sums;
      kernels().add_logits({logits.data(), ldx, rows, count}, sums.data(), largest.data());
      kernels().largest_logits({logits.data(), ldx, rows, count}, maxima.data(), found.data());
      for (int64_t row = 0; row < rows; ++row) {
        const auto first = logits.begin() + row * ldx;
        ASSERT_EQ(largest[at(row)], *std::max_element(first, first + count));
        ASSERT_EQ(found[at(row)], largest[at(row)]);
        ASSERT_EQ(maxima[at(row)].largest, sums[at(row)].largest);
        all[at(row)].insert(all[at(row)].end(), first, first + count);
      }
    }
    for (int64_t row = 0; row < rows; ++row) {
      const RunningSum& sum = sums[at(row)];
      ASSERT_EQ(sum.largest, *std::max_element(all[at(row)].begin(), all[at(row)].end()));
      double expected = 0;
      for (const float logit : all[at(row)]) expected += std::exp(static_cast<double>(logit) - sum.largest);
      ASSERT_NEAR(sum.sum / expected, 1, 2e-6);
    }
  }
}

TEST_P(KernelsTest, TermsOfSumsHaveTheErrorOfExponentials) {
  for (int i = 0; i <= 870000; ++i) {
    const float x = -1e-4F * static_cast<float>(i), sixteen[16] = {x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x};
    RunningSum sum{0, 0};
    float largest = 0;
    kernels().add_logits({sixteen, 16, 1, 16}, &sum, &largest);
    const double error = sum.sum / 16 / std::exp(static_cast<double>(x)) - 1;
    ASSERT_LE(std::abs(error), 3e-7 + 1e-7 * std::abs(x)) << x;  // 1e-7 more, because the sum is rounded, too
  }
}

TEST_P(KernelsTest, LogitsWithNaNAreReported) {
  for (int64_t place = 0; place < 37; ++place) {
    std::vector<float> logits(37, 1.0F);
    const Logits row{logits.data(), 37, 1, 37};
    RunningSum sum{-kInfinity, 0}, most = sum;
    float largest = 0;
    logits[at(36 - place)] = kInfinity;
    kernels().largest_logits(row, &most, &largest);
    EXPECT_EQ(largest, kInfinity) << "element " << 36 - place;
    logits[at(place)] = kNaN;
    kernels().add_logits(row, &sum, &largest);
    EXPECT_TRUE(std::isnan(largest)) << "element " << place;
    kernels().largest_logits(row, &most, &largest);
    EXPECT_TRUE(std::isnan(largest) && std::isnan(most.largest)) << "element " << place;
    std::fill(logits.begin(), logits.end(), 1.0F);
    kernels().largest_logits(row, &most, &largest);
    EXPECT_TRUE(largest == 1 && std::isnan(most.largest)) << "NaN stays";
  }
}

TEST_P(KernelsTest, PlacesAboveAreThoseOfAllElementsOverTheLimit) {
  RandomNumbers random(8);
  for (int round = 0; round < 200; ++round) {
    const std::vector<float> x = random.eighths(random.between(1, 70));
    const auto count = static_cast<int64_t>(x.size());
    const float limit = random.eighths(1)[0];
    std::vector<int32_t> expected, places(x.size());
    for (size_t i = 0; i < x.size(); ++i) {
      if (x[i] > limit) expected.push_back(static_cast<int32_t>(i));
    }
    places.resize(at(kernels().places_above(x.data(), count, limit, places.data())));
    ASSERT_EQ(places, expected);
  }
}

TEST_P(KernelsTest, AtLeastTheGivenNumberOfElementsReachesTheLowerBound) {
  RandomNumbers random(9);
  for (int round = 0; round < 300; ++round) {
    const int64_t count = random.between(1, 300), rank = random.between(1, 20);
    const std::vector<float> x = random.coin() ? random.eighths(count) : random.values(count);
    const float bound = kernels().lower_bound_of(x.data(), count, rank);
    if (bound == -kInfinity) {
      ASSERT_TRUE(rank > 16 || count < 16) << "there is a quick answer";
      continue;
    }
    ASSERT_GE(std::count_if(x.begin(), x.end(), [bound](float value) { return value >= bound; }), rank);
    ASSERT_NE(std::find(x.begin(), x.end(), bound), x.end());
  }
}

/// Prints the name of the set that is chosen with this VENTRIS_KERNELS, or the error, and exits.
void print_chosen(const char* wanted) {
  setenv("VENTRIS_KERNELS", wanted, 1);
  try {
    std::cerr << "set " << kernels().name << '\n';
    std::exit(0);
  } catch (const ConfigError& error) {
    std::cerr << error.what() << '\n';
    std::exit(2);
  }
}

TEST(KernelChoice, TheVariableNamesASet) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");  // the choice is made once in a process
  for (const Kernels* set : available_kernels()) {
    EXPECT_EXIT(print_chosen(set->name), testing::ExitedWithCode(0), "set " + std::string(set->name) + "\n");
  }
}

TEST(KernelChoice, WithoutTheVariableTheBestSetIsChosen) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(print_chosen(""), testing::ExitedWithCode(0),
              "set " + std::string(available_kernels().front()->name) + "\n");
}

TEST(KernelChoice, AnUnknownSetIsRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(print_chosen("mmx"), testing::ExitedWithCode(2),
              "VENTRIS_KERNELS: this processor has no instruction set 'mmx'; it has .*portable");
}

TEST(KernelChoice, EveryProcessorHasThePortableSet) { EXPECT_STREQ(available_kernels().back()->name, "portable"); }

}  // namespace
}  // namespace ventris::arithmetic
