#include "kernels/smoothed_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/random_values.h"

namespace ventris::kernels {
namespace {

using test::narrow;
using test::random_values;
using test::widen;

template <typename T>
class SmoothedLossTest : public testing::Test {
 protected:
  static constexpr double kTolerance = sizeof(T) == 2 ? 0.005 : 2e-6;
};
using Types = testing::Types<float, BFloat16>;
TYPED_TEST_SUITE(SmoothedLossTest, Types);

SmoothedTarget smoothed(double smoothing, int64_t vocab, int32_t pad) {
  const double elsewhere = smoothing / static_cast<double>(vocab - 2);
  const double constant =
      (1 - smoothing) * std::log(1 - smoothing) + (smoothing > 0 ? smoothing * std::log(elsewhere) : 0);
  return {static_cast<float>(1 - smoothing), static_cast<float>(elsewhere), static_cast<float>(constant), pad};
}

TYPED_TEST(SmoothedLossTest, IsTheDivergenceFromTheSmoothedTargetAndItsGradient) {
  for (const double smoothing : {0.0, 0.1}) {
    for (const int64_t vocab : {5, 16, 53, 1000}) {
      constexpr int32_t kPad = 1;
      constexpr int64_t kRows = 4;
      const SmoothedTarget target = smoothed(smoothing, vocab, kPad);
      const auto logits = narrow<TypeParam>(random_values(kRows * vocab, 7));
      const auto bias = random_values(vocab, 8);
      const std::vector<int64_t> targets{3, vocab - 1, kPad, 0};
      auto found = logits;
      std::vector<float> of_bias(static_cast<size_t>(vocab)), memory(of_bias.size());
      const LossSums sums = smoothed_loss_kernel<TypeParam>()({found.data(), bias.data(), kRows, vocab, targets.data()},
                                                              target, of_bias.data(), memory.data());
      double loss = 0, nll = 0;
      std::vector<double> column_sums(of_bias.size());
      for (int64_t i = 0; i < kRows; ++i) {
        const auto logit = [&](int64_t j) {
          return widen(logits[static_cast<size_t>(i * vocab + j)]) + bias[static_cast<size_t>(j)];
        };
        double sum = 0;
        for (int64_t j = 0; j < vocab; ++j) sum += std::exp(static_cast<double>(logit(j)));
        for (int64_t j = 0; j < vocab; ++j) {
          const double log_prob = logit(j) - std::log(sum);
          const bool right = j == targets[static_cast<size_t>(i)];
          const double wanted = right ? 1 - smoothing : j == kPad ? 0 : smoothing / static_cast<double>(vocab - 2);
          const bool counts = targets[static_cast<size_t>(i)] != kPad;
          if (counts && wanted > 0) loss += wanted * (std::log(wanted) - log_prob);
          if (counts && right) nll -= log_prob;
          const double gradient = counts ? std::exp(log_prob) - wanted : 0;
          column_sums[static_cast<size_t>(j)] += gradient;
          ASSERT_NEAR(widen(found[static_cast<size_t>(i * vocab + j)]), gradient, this->kTolerance);
        }
      }
      EXPECT_NEAR(sums.loss, loss, 1e-4);
      EXPECT_NEAR(sums.nll, nll, 1e-4);
      for (size_t j = 0; j < of_bias.size(); ++j) ASSERT_NEAR(of_bias[j], column_sums[j], 1e-5) << j;
    }
  }
}

TYPED_TEST(SmoothedLossTest, OfTwoPassesIsThatOfEachAndTheirDivergence) {
  constexpr int32_t kPad = 0;
  constexpr int64_t kRows = 3, kVocab = 37;
  constexpr float kWeight = 1.5F;
  const SmoothedTarget target = smoothed(0.1, kVocab, kPad);
  const auto logits = narrow<TypeParam>(random_values(2 * kRows * kVocab, 17));
  const auto bias = random_values(kVocab, 18);
  const std::vector<int64_t> once{3, kPad, 9};
  std::vector<int64_t> twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  std::vector<float> of_bias(kVocab), memory(4 * kVocab);

  auto separate = logits, paired = logits;
  LossSums expected = smoothed_loss_kernel<TypeParam>()({separate.data(), bias.data(), 2 * kRows, kVocab, twice.data()},
                                                        target, of_bias.data(), memory.data());
  std::fill(of_bias.begin(), of_bias.end(), 0.0F);
  const LossSums found = paired_loss_kernel<TypeParam>()({paired.data(), bias.data(), kRows, kVocab, once.data()},
                                                         target, kWeight, of_bias.data(), memory.data());
  std::vector<double> column_sums(kVocab);
  for (size_t i = 0; i < kRows; ++i) {
    const auto log_probs = [&](size_t row) {
      std::vector<double> values(kVocab);
      double sum = 0;
      for (size_t j = 0; j < kVocab; ++j) sum += std::exp(values[j] = widen(logits[row * kVocab + j]) + bias[j]);
      for (double& value : values) value -= std::log(sum);
      return values;
    };
    const auto p = log_probs(i), q = log_probs(i + kRows);
    double forward = 0, backward = 0;
    for (size_t j = 0; j < kVocab; ++j) {
      forward += std::exp(p[j]) * (p[j] - q[j]);
      backward += std::exp(q[j]) * (q[j] - p[j]);
    }
    const double counts = once[i] == kPad ? 0 : 1;
    expected.loss += counts * kWeight * (forward + backward) / 2;
    for (size_t j = 0; j < kVocab; ++j) {
      const double of_p = std::exp(p[j]) * (p[j] - q[j] - forward) + std::exp(p[j]) - std::exp(q[j]);
      const double of_q = std::exp(q[j]) * (q[j] - p[j] - backward) + std::exp(q[j]) - std::exp(p[j]);
      const double wanted_p = widen(separate[i * kVocab + j]) + counts * kWeight / 2 * of_p;
      const double wanted_q = widen(separate[(i + kRows) * kVocab + j]) + counts * kWeight / 2 * of_q;
      ASSERT_NEAR(widen(paired[i * kVocab + j]), wanted_p, 2 * this->kTolerance) << i << " " << j;
      ASSERT_NEAR(widen(paired[(i + kRows) * kVocab + j]), wanted_q, 2 * this->kTolerance) << i << " " << j;
      column_sums[j] += wanted_p + wanted_q;
    }
  }
  EXPECT_NEAR(found.loss, expected.loss, 1e-4);
  EXPECT_NEAR(found.nll, expected.nll, 1e-4);
  for (size_t j = 0; j < kVocab; ++j) ASSERT_NEAR(of_bias[j], column_sums[j], 8 * this->kTolerance) << j;
}

TYPED_TEST(SmoothedLossTest, AWeightMultipliesALossAndItsGradient) {
  constexpr int64_t kRows = 3, kVocab = 37;
  const SmoothedTarget target = smoothed(0.1, kVocab, 0);
  const auto bias = random_values(kVocab, 18);
  const auto logits = narrow<TypeParam>(random_values(2 * kRows * kVocab, 17));
  const std::vector<int64_t> targets{3, 7, 9};
  const std::vector<float> weights{0.5F, 1, 3};
  for (const bool paired : {false, true}) {
    const auto run = [&](std::vector<float>& of_bias, size_t first, int64_t rows, const float* of_rows) {
      std::vector<TypeParam> found;
      for (int64_t pass = 0; pass < (paired ? 2 : 1); ++pass) {
        const auto begin = logits.begin() + (pass * kRows + static_cast<int64_t>(first)) * kVocab;
        found.insert(found.end(), begin, begin + rows * kVocab);
      }
      std::vector<float> memory(4 * kVocab);
      const LogitRows<TypeParam> some{found.data(), bias.data(), rows, kVocab, targets.data() + first, of_rows};
      const LossSums sums = paired ? paired_loss_kernel<TypeParam>()(some, target, 1.5F, of_bias.data(), memory.data())
                                   : smoothed_loss_kernel<TypeParam>()(some, target, of_bias.data(), memory.data());
      return std::pair{sums, found};
    };
    std::vector<float> of_bias(kVocab), expected_of_bias(kVocab);
    const auto [sums, found] = run(of_bias, 0, kRows, weights.data());
    LossSums expected;
    for (size_t row = 0; row < kRows; ++row) {
      std::vector<float> of_row(kVocab);
      const auto [alone, gradient] = run(of_row, row, 1, nullptr);
      expected.loss += weights[row] * alone.loss;
      expected.nll += weights[row] * alone.nll;
      for (size_t j = 0; j < kVocab; ++j) {
        expected_of_bias[j] += weights[row] * of_row[j];
        ASSERT_NEAR(widen(found[row * kVocab + j]), weights[row] * widen(gradient[j]), 3 * this->kTolerance);
      }
    }
    EXPECT_NEAR(sums.loss, expected.loss, 1e-4);
    EXPECT_NEAR(sums.nll, expected.nll, 1e-4);
    for (size_t j = 0; j < kVocab; ++j) ASSERT_NEAR(of_bias[j], expected_of_bias[j], 1e-5) << j;
  }
}

TEST(SmoothedLoss, TokensThatAreNeverWrittenAreNotAllOfTheLoss) {
  constexpr int64_t kVocab = 1000;
  const std::vector<int64_t> targets{3};
  const SmoothedTarget target = smoothed(0.1, kVocab, 1);
  const auto loss_with = [&](float of_never) {
    auto logits = random_values(kVocab, 7), bias = random_values(kVocab, 8);
    for (const size_t never : {1, 2, 999}) bias[never] = of_never;  // also padding
    std::vector<float> of_bias(kVocab), memory(kVocab);
    return smoothed_loss_kernel<float>()({logits.data(), bias.data(), 1, kVocab, targets.data()}, target,
                                         of_bias.data(), memory.data())
        .loss;
  };
  EXPECT_LT(loss_with(-1e9F), 10);
  EXPECT_EQ(loss_with(-1e9F), loss_with(-1100));
  EXPECT_EQ(loss_with(-std::numeric_limits<float>::infinity()), loss_with(-1100));
}

TEST(SmoothedLoss, ALogitThatIsNotANumberShowsInTheLoss) {
  std::vector<float> logits{1, NAN, 2}, bias(3), of_bias(3), memory(3);
  const std::vector<int64_t> targets{2};
  const auto sums = smoothed_loss_kernel<float>()({logits.data(), bias.data(), 1, 3, targets.data()}, smoothed(0, 3, 0),
                                                  of_bias.data(), memory.data());
  EXPECT_FALSE(std::isfinite(sums.loss));
}

}  // namespace
}  // namespace ventris::kernels
