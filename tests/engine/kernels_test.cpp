#include "engine/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <numeric>

#include "core/error.h"
#include "engine/every_kernel_set.h"
#include "engine/plain_product.h"
#include "engine/random_numbers.h"

namespace ventris::engine {
namespace {

using test::at;
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

std::vector<double> plain_softmax(const float* x, size_t count) {
  const double largest = *std::max_element(x, x + count);
  std::vector<double> weights(count);
  for (size_t i = 0; i < count; ++i) weights[i] = std::exp(x[i] - largest);
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& weight : weights) weight /= sum;
  return weights;
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

TEST_P(KernelsTest, SoftmaxWithNaNIsNaN) {
  for (size_t at = 0; at < 37; ++at) {
    std::vector<float> x(37, 0.3F);
    x[at] = kNaN;
    kernels().softmax(x.data(), 37, 1, 37);
    for (const float value : x) EXPECT_TRUE(std::isnan(value)) << "element " << at;
  }
}

/// Keys and values of earlier positions, and a query to them.
struct Positions {
  Positions(int64_t positions, int64_t heads_of_all, int64_t key_width, int64_t value_width, RandomNumbers& random)
      : count(positions), heads(heads_of_all), d_k(key_width), d_v(value_width), query(random.values(heads * d_k)) {
    for (int64_t i = 0; i < count; ++i) memory.push_back(random.values(heads * (d_k + d_v)));
    for (const auto& position : memory) places.push_back(position.data());
    std::reverse(memory.begin(), memory.end());
    std::reverse(places.begin(), places.end());  // in no order of their addresses
  }

  std::vector<double> plain_weights(int64_t head) const {
    std::vector<float> scores;
    for (const float* place : places) {
      const float* key = place + head * d_k;
      scores.push_back(static_cast<float>(std::inner_product(key, key + d_k, query.begin() + head * d_k, 0.0)));
    }
    return plain_softmax(scores.data(), scores.size());
  }
  double plain_mean(int64_t head, int64_t i) const {
    const std::vector<double> weights = plain_weights(head);
    double sum = 0;
    for (size_t t = 0; t < weights.size(); ++t) sum += weights[t] * places[t][heads * d_k + head * d_v + i];
    return sum;
  }

  int64_t count, heads, d_k, d_v;
  std::vector<float> query;
  std::vector<std::vector<float>> memory;
  std::vector<const float*> places;
};

TEST_P(KernelsTest, StepAttentionIsThatOfAPlainLoop) {
  RandomNumbers random(6);
  for (int round = 0; round < 60; ++round) {
    const int64_t count = random.between(1, 40), heads = random.between(1, 4);
    const Positions all(count, heads, random.between(1, 40), random.between(1, 70), random);
    std::vector<float> weights(at(heads * count + 1), 7), out(at(heads * all.d_v + 1), 7);
    kernels().step_attention(
        {all.query.data(), all.places.data(), count, heads, all.d_k, all.d_v, weights.data(), out.data()});
    for (int64_t head = 0; head < heads; ++head) {
      const auto expected = all.plain_weights(head);
      for (int64_t t = 0; t < count; ++t) ASSERT_NEAR(weights[at(head * count + t)], expected[at(t)], 1e-5);
      for (int64_t i = 0; i < all.d_v; ++i) ASSERT_NEAR(out[at(head * all.d_v + i)], all.plain_mean(head, i), 2e-5);
    }
    ASSERT_EQ(weights.back(), 7);
    ASSERT_EQ(out.back(), 7);
  }
}

TEST_P(KernelsTest, StepAttentionAddsScoresToTermsAndMayBeAdditive) {
  RandomNumbers random(16);
  for (int round = 0; round < 40; ++round) {
    const int64_t count = random.between(1, 40), heads = random.between(1, 4);
    const Positions all(count, heads, random.between(1, 40), random.between(1, 9), random);
    const std::vector<float> terms = random.values(heads * count), vector = random.values(heads * all.d_k);
    std::vector<float> weights = terms, out(at(heads * all.d_v));
    kernels().step_attention({all.query.data(), all.places.data(), count, heads, all.d_k, all.d_v, weights.data(),
                              out.data(), /*add=*/true, vector.data()});
    for (int64_t head = 0; head < heads; ++head) {
      std::vector<float> scores(terms.begin() + head * count, terms.begin() + (head + 1) * count);
      for (int64_t t = 0; t < count; ++t) {
        for (int64_t i = head * all.d_k; i < (head + 1) * all.d_k; ++i) {
          scores[at(t)] += vector[at(i)] * std::tanh(all.query[at(i)] + all.places[at(t)][i]);
        }
      }
      const auto expected = plain_softmax(scores.data(), scores.size());
      for (int64_t t = 0; t < count; ++t) ASSERT_NEAR(weights[at(head * count + t)], expected[at(t)], 1e-5);
    }
  }
}

TEST_P(KernelsTest, AdditiveScoresAreThoseOfAPlainLoopAndHaveNoLimit) {
  RandomNumbers random(17);
  for (int round = 0; round < 40; ++round) {
    const int64_t rows = random.between(1, 9), k = random.between(1, 40), n = random.between(1, 50), ldc = n + 2;
    std::vector<float> a = random.values(rows * k), b = random.values(k * n), vector = random.values(k);
    a.back() = round % 2 == 0 ? 1e30F : -1e30F;
    b.front() = round % 3 == 0 ? kInfinity : -100;
    const auto packed = test::packed(b, k, n, 1);
    std::vector<float> c(at(rows * ldc), 7);
    kernels().additive_scores({a.data(), k, rows, packed.data(), k, n, c.data(), ldc}, vector.data());
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < n; ++column) {
        double sum = 0;
        for (int64_t i = 0; i < k; ++i) {
          const double both = static_cast<double>(a[at(row * k + i)]) + static_cast<double>(b[at(i * n + column)]);
          sum += static_cast<double>(vector[at(i)]) * std::tanh(both);
        }
        ASSERT_NEAR(c[at(row * ldc + column)], sum, 1e-5);
      }
      for (int64_t column = n; column < ldc; ++column) ASSERT_EQ(c[at(row * ldc + column)], 7);
    }
  }
}

TEST_P(KernelsTest, AdditiveScoresOfNaNAreNaN) {
  const std::vector<float> a{1, kNaN}, b(32, 1), vector{1, 1};
  std::vector<float> c(1);
  kernels().additive_scores({a.data(), 2, 1, b.data(), 2, 1, c.data(), 1}, vector.data());
  EXPECT_TRUE(std::isnan(c[0]));
}

TEST_P(KernelsTest, SquaresAreSummedForEachHead) {
  RandomNumbers random(18);
  for (int64_t width = 1; width <= 40; ++width) {
    const int64_t rows = 3, heads = 2, stride = heads * width + 5;
    const std::vector<float> x = random.values(rows * stride);
    std::vector<float> sums(at(rows * heads));
    kernels().squares(x.data(), stride, rows, heads, width, sums.data());
    for (int64_t i = 0; i < rows * heads; ++i) {
      const float* part = x.data() + i / heads * stride + i % heads * width;
      ASSERT_NEAR(sums[at(i)], std::inner_product(part, part + width, part, 0.0), 1e-4);
    }
  }
}

TEST_P(KernelsTest, LinearFeaturesAreEluPlusOneAndChangeNothingElse) {
  RandomNumbers random(19);
  for (int64_t width = 1; width <= 40; ++width) {
    const int64_t rows = 3, stride = width + 4;
    std::vector<float> x = random.values(rows * stride);
    x[0] = 100;
    x[at(stride)] = -100;
    const std::vector<float> before = x;
    kernels().linear_features(x.data(), stride, rows, width);
    for (int64_t i = 0; i < rows * stride; ++i) {
      const float value = before[at(i)];
      const float feature = value > 0 ? value + 1 : std::exp(value);
      ASSERT_NEAR(x[at(i)], i % stride < width ? feature : value, 1e-6F * std::max(1.0F, feature));
    }
  }
  std::vector<float> wrong{kNaN};
  kernels().linear_features(wrong.data(), 1, 1, 1);
  EXPECT_TRUE(std::isnan(wrong[0]));
}

/// Queries, keys and values of linear attention, of several positions.
struct LinearPositions {
  LinearPositions(int64_t positions, RandomNumbers& random)
      : heads(random.between(1, 3)), d_k(random.between(1, 40)), d_v(random.between(1, 40)) {
    for (int64_t t = 0; t < positions; ++t) {
      queries.push_back(random.values(heads * d_k));
      keys.push_back(random.values(heads * d_k));
      values.push_back(random.values(heads * d_v));
      for (float& x : queries.back()) x = std::abs(x);
      for (float& x : keys.back()) x = std::abs(x);
    }
  }
  /// Element `column` of the result of position `newest`.
  double plain(size_t newest, int64_t column) const {
    double sum = 0, all = 0;
    for (size_t t = 0; t <= newest; ++t) {
      const auto first = column / d_v * d_k;
      const auto key = keys[t].begin() + first;
      const double weight = std::inner_product(key, key + d_k, queries[newest].begin() + first, 0.0);
      sum += weight * static_cast<double>(values[t][at(column)]);
      all += weight;
    }
    return sum / all;
  }

  int64_t heads, d_k, d_v;
  std::vector<std::vector<float>> queries, keys, values;
};

TEST_P(KernelsTest, LinearStepsAreWeightedMeansOfAllPositions) {
  RandomNumbers random(20);
  for (int round = 0; round < 20; ++round) {
    const LinearPositions all(9, random);
    std::vector<float> sums(at(linear_sums_size(all.heads, all.d_k, all.d_v))), out(at(all.heads * all.d_v));
    for (size_t t = 0; t < all.keys.size(); ++t) {
      kernels().linear_step({all.queries[t].data(), all.keys[t].data(), all.values[t].data(), all.heads, all.d_k,
                             all.d_v, 1e-6F, sums.data(), out.data()});
      for (int64_t i = 0; i < all.heads * all.d_v; ++i) ASSERT_NEAR(out[at(i)], all.plain(t, i), 2e-5);
    }
  }
}

TEST_P(KernelsTest, ALinearStepWithHardlyAnyWeightDividesByTheSmallest) {
  const float query = 1, key = 1e-9F, value = 100;
  float sums[2] = {0, 0}, out = 0;
  kernels().linear_step({&query, &key, &value, 1, 1, 1, 1e-6F, sums, &out});
  EXPECT_NEAR(out, 0.1, 1e-6);
}

TEST_P(KernelsTest, LogitsAddUpOverBlocksToTheirLogSumExp) {
  RandomNumbers random(7);
  for (int round = 0; round < 60; ++round) {
    RunningSum sum{-kInfinity, 0};
    std::vector<float> all;
    for (int64_t block = random.between(1, 5); block > 0; --block) {
      std::vector<float> logits = random.values(random.between(1, 70));
      const auto offset = static_cast<float>(random.between(-30, 30));
      for (float& logit : logits) logit = 3 * logit + offset;
      const float most = kernels().add_logits(logits.data(), static_cast<int64_t>(logits.size()), sum);
      ASSERT_EQ(most, *std::max_element(logits.begin(), logits.end()));
      all.insert(all.end(), logits.begin(), logits.end());
    }
    ASSERT_EQ(sum.largest, *std::max_element(all.begin(), all.end()));
    double expected = 0;
    for (const float logit : all) expected += std::exp(static_cast<double>(logit) - sum.largest);
    ASSERT_NEAR(sum.sum / expected, 1, 2e-6);
  }
}

TEST_P(KernelsTest, LogitsWithNaNAreReported) {
  for (int64_t place = 0; place < 37; ++place) {
    std::vector<float> logits(37, 1.0F);
    logits[at(place)] = kNaN;
    RunningSum sum{-kInfinity, 0};
    EXPECT_TRUE(std::isnan(kernels().add_logits(logits.data(), 37, sum))) << "element " << place;
  }
}

TEST_P(KernelsTest, NextAboveFindsEachElementOverTheLimit) {
  RandomNumbers random(8);
  for (int round = 0; round < 200; ++round) {
    const std::vector<float> x = random.eighths(random.between(1, 70));
    const auto count = static_cast<int64_t>(x.size());
    const float limit = random.eighths(1)[0];
    for (int64_t from = 0; from <= count; ++from) {
      const auto over = [limit](float value) { return value > limit; };
      const auto expected = std::find_if(x.begin() + from, x.end(), over) - x.begin();
      ASSERT_EQ(kernels().next_above(x.data(), from, count, limit), expected);
    }
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
}  // namespace ventris::engine
