#include "kernels/smoothed_loss.h"

#include <gtest/gtest.h>

#include <cmath>

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
  const double constant = (1 - smoothing) * std::log(1 - smoothing) + (smoothing > 0 ? smoothing * std::log(elsewhere) : 0);
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
        const auto logit = [&](int64_t j) { return widen(logits[static_cast<size_t>(i * vocab + j)]) + bias[static_cast<size_t>(j)]; };
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

TEST(SmoothedLoss, ALogitThatIsNotANumberShowsInTheLoss) {
  std::vector<float> logits{1, NAN, 2}, bias(3), of_bias(3), memory(3);
  const std::vector<int64_t> targets{2};
  const auto sums = smoothed_loss_kernel<float>()({logits.data(), bias.data(), 1, 3, targets.data()},
                                                  smoothed(0, 3, 0), of_bias.data(), memory.data());
  EXPECT_FALSE(std::isfinite(sums.loss));
}

}  // namespace
}  // namespace ventris::kernels
