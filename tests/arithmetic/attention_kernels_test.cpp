#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "arithmetic/every_kernel_set.h"
#include "arithmetic/kernels.h"
#include "arithmetic/plain_product.h"
#include "support/random_numbers.h"

/// The kernels of attention-inl.h.
namespace ventris::arithmetic {
namespace {

using test::at;
using test::plain_softmax;
using test::RandomNumbers;

constexpr float kNotANumber = std::numeric_limits<float>::quiet_NaN();

class AttentionKernels : public test::EveryKernelSet {};
INSTANTIATE_EVERY_KERNEL_SET(AttentionKernels);

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

TEST_P(AttentionKernels, StepAttentionIsThatOfAPlainLoop) {
  RandomNumbers random(6);
  for (int round = 0; round < 60; ++round) {
    const int64_t count = random.between(1, 40), heads = random.between(1, 4);
    const Positions all(count, heads, random.between(1, 40), random.between(1, 70), random);
    std::vector<float> weights(at(heads * step_stride(count) + 1), 7), out(at(heads * all.d_v + 1), 7);
    const auto next = static_cast<int64_t>(round % 3 == 0 ? 0 : all.places.size());  // may be fetched or not
    kernels().step_attention({all.query.data(), all.places.data(), count, heads, all.d_k, all.d_v, weights.data(),
                              out.data(), /*add=*/false, nullptr, all.places.data(), next});
    for (int64_t head = 0; head < heads; ++head) {
      const auto expected = all.plain_weights(head);
      for (int64_t t = 0; t < count; ++t)
        ASSERT_NEAR(weights[at(head * step_stride(count) + t)], expected[at(t)], 1e-5);
      for (int64_t i = 0; i < all.d_v; ++i) ASSERT_NEAR(out[at(head * all.d_v + i)], all.plain_mean(head, i), 2e-5);
    }
    ASSERT_EQ(weights.back(), 7);
    ASSERT_EQ(out.back(), 7);
  }
}

TEST_P(AttentionKernels, StepAttentionAddsScoresToTermsAndMayBeAdditive) {
  RandomNumbers random(16);
  for (int round = 0; round < 40; ++round) {
    const int64_t count = random.between(1, 40), heads = random.between(1, 4);
    const Positions all(count, heads, random.between(1, 40), random.between(1, 9), random);
    const std::vector<float> terms = random.values(heads * count), vector = random.values(heads * all.d_k);
    std::vector<float> weights(at(heads * step_stride(count)), kNotANumber), out(at(heads * all.d_v));
    for (int64_t head = 0; head < heads; ++head) {
      std::copy_n(terms.begin() + head * count, count, weights.begin() + head * step_stride(count));
    }
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
      for (int64_t t = 0; t < count; ++t) {
        ASSERT_NEAR(weights[at(head * step_stride(count) + t)], expected[at(t)], 1e-5);
      }
    }
  }
}

TEST_P(AttentionKernels, WeightsOfPositionsWithNaNAreNaN) {
  RandomNumbers random(26);
  for (int64_t count = 1; count <= 40; ++count) {
    Positions all(count, 1, 3, 2, random);
    all.memory[at(random.between(0, count - 1))][0] = kNotANumber;
    std::vector<float> weights(at(step_stride(count))), out(2);
    kernels().step_attention({all.query.data(), all.places.data(), count, 1, 3, 2, weights.data(), out.data()});
    for (int64_t t = 0; t < count; ++t) ASSERT_TRUE(std::isnan(weights[at(t)])) << t << " of " << count;
    ASSERT_TRUE(std::isnan(out[0]) && std::isnan(out[1]));
  }
}

TEST_P(AttentionKernels, AdditiveScoresAreThoseOfAPlainLoopAndHaveNoLimit) {
  RandomNumbers random(17);
  for (int round = 0; round < 40; ++round) {
    const int64_t rows = random.between(1, 9), k = random.between(1, 40), n = random.between(1, 50), ldc = n + 2;
    std::vector<float> a = random.values(rows * k), b = random.values(k * n), vector = random.values(k);
    a.back() = round % 2 == 0 ? 1e30F : -1e30F;
    b.front() = round % 3 == 0 ? std::numeric_limits<float>::infinity() : -100;
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

TEST_P(AttentionKernels, AdditiveScoresOfNaNAreNaN) {
  const std::vector<float> a{1, kNotANumber}, b(32, 1), vector{1, 1};
  std::vector<float> c(1);
  kernels().additive_scores({a.data(), 2, 1, b.data(), 2, 1, c.data(), 1}, vector.data());
  EXPECT_TRUE(std::isnan(c[0]));
}

TEST_P(AttentionKernels, SquaresAreSummedForEachHead) {
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

TEST_P(AttentionKernels, LinearFeaturesAreEluPlusOneAndChangeNothingElse) {
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
  std::vector<float> wrong{kNotANumber};
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

TEST_P(AttentionKernels, LinearStepsAreWeightedMeansOfAllPositions) {
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

TEST_P(AttentionKernels, ALinearStepWithHardlyAnyWeightDividesByTheSmallest) {
  const float query = 1, key = 1e-9F, value = 100;
  float sums[2] = {0, 0}, out = 0;
  kernels().linear_step({&query, &key, &value, 1, 1, 1, 1e-6F, sums, &out});
  EXPECT_NEAR(out, 0.1, 1e-6);
}

TEST_P(AttentionKernels, SsruStepsMixTheCellWithTheInputAndChangeNothingElse) {
  RandomNumbers random(23);
  for (int64_t width = 1; width <= 40; ++width) {
    std::vector<float> cell(at(width), 0), out(at(width + 1), 7);
    std::vector<double> expected(at(width), 0);
    for (int step = 0; step < 6; ++step) {
      std::vector<float> input = random.values(width), forget = random.values(width);
      for (float& gate : forget) gate *= step == 3 ? 60.0F : 2.0F;  // also gates that are open or closed
      kernels().ssru_step({input.data(), forget.data(), width, cell.data(), out.data()});
      for (size_t i = 0; i < at(width); ++i) {
        const double gate = 1 / (1 + std::exp(-static_cast<double>(forget[i])));
        expected[i] = gate * expected[i] + (1 - gate) * static_cast<double>(input[i]);
        ASSERT_NEAR(cell[i], expected[i], 2e-6);
        ASSERT_EQ(out[i], std::max(cell[i], 0.0F));
      }
    }
    ASSERT_EQ(out.back(), 7);
  }
}

TEST_P(AttentionKernels, SsruStepsKeepNaN) {
  const float input = kNotANumber, number = 1;
  float cell = 0, out = 0;
  kernels().ssru_step({&input, &number, 1, &cell, &out});
  EXPECT_TRUE(std::isnan(cell) && std::isnan(out));
}

TEST_P(AttentionKernels, RotateTurnsPairsAndChangesNothingElse) {
  RandomNumbers random(16);
  for (int64_t width = 2; width <= 70; width += 2) {
    const int64_t heads = random.between(1, 4);
    const std::vector<float> angles = random.values(width / 2), x = random.values(heads * width + 16);
    std::vector<float> turns(at(2 * width)), turned = x;
    for (int64_t i = 0; i < width; ++i) {
      const double angle = angles[at(i / 2)];
      turns[at(i)] = static_cast<float>(std::cos(angle));
      turns[at(width + i)] = static_cast<float>(i % 2 == 0 ? -std::sin(angle) : std::sin(angle));
    }
    kernels().rotate(turned.data(), heads, width, turns.data());
    for (int64_t i = 0; i < heads * width; i += 2) {
      const double angle = angles[at(i % width / 2)], a = x[at(i)], b = x[at(i + 1)];
      ASSERT_NEAR(turned[at(i)], a * std::cos(angle) - b * std::sin(angle), 1e-6) << "width " << width;
      ASSERT_NEAR(turned[at(i + 1)], a * std::sin(angle) + b * std::cos(angle), 1e-6) << "width " << width;
    }
    ASSERT_TRUE(std::equal(x.end() - 16, x.end(), turned.end() - 16)) << "what follows the heads";
  }
}

TEST_P(AttentionKernels, RotateKeepsNaNInItsPair) {
  std::vector<float> x(22, 1.0F), turns(44, 0.5F);
  x[19] = kNotANumber;
  kernels().rotate(x.data(), 1, 22, turns.data());
  for (size_t i = 0; i < x.size(); ++i) EXPECT_EQ(std::isnan(x[i]), i == 18 || i == 19) << i;
}

}  // namespace
}  // namespace ventris::arithmetic
