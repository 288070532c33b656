#include "nn/ctc_loss.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ventris::nn {
namespace {

using torch::Tensor;

constexpr int64_t kSymbols = 11, kStateWidth = 6, kPositions = 9;

/// Targets without, with and with repeated tokens, and one that does not fit into its positions.
CtcTargets some_targets() {
  return {torch::tensor({{4, 5, 6, 7}, {4, 4, 0, 0}, {0, 0, 0, 0}, {5, 5, 5, 6}}), {4, 2, 0, 4}, {9, 5, 1, 4}, 0};
}

struct CtcInputs {
  Tensor hidden = torch::randn({4, kPositions, kStateWidth}).requires_grad_();
  Tensor weight = torch::randn({kSymbols, kStateWidth}).requires_grad_();
  Tensor bias = torch::randn({kSymbols}).requires_grad_();
  Tensor weights = torch::tensor({1.0F, 0.5F, 2.0F, 3.0F});

  std::vector<Tensor> gradients(const Tensor& loss) const {
    return torch::autograd::grad({loss}, {hidden, weight, bias});
  }
};

/// From LibTorch's ctc_loss, in f64.
Tensor expected_ctc_loss(const CtcInputs& in, const CtcTargets& targets) {
  const Tensor logits =
      at::linear(in.hidden.to(torch::kDouble), in.weight.to(torch::kDouble), in.bias.to(torch::kDouble));
  const Tensor losses = at::ctc_loss(logits.log_softmax(-1).transpose(0, 1), targets.ids, targets.positions,
                                     targets.tokens, targets.blank, at::Reduction::None, /*zero_infinity=*/true);
  return (losses * in.weights).sum();
}

TEST(GeneratorCtcLoss, AgreesWithThatOfWholeLogitsInLossAndGradients) {
  torch::manual_seed(1);
  const CtcInputs in;
  const CtcTargets targets = some_targets();
  const Tensor found = generator_ctc_loss(in.hidden, in.weight, in.bias, targets, in.weights);
  const Tensor expected = expected_ctc_loss(in, targets);
  EXPECT_NEAR(found.item<double>(), expected.item<double>(), 1e-4);
  const auto gradients = in.gradients(found * 2), known = in.gradients(expected * 2);
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(gradients[i], known[i], 1e-4, 1e-5)) << i;
  const torch::NoGradGuard no_grad;
  EXPECT_FLOAT_EQ(generator_ctc_loss(in.hidden, in.weight, in.bias, targets, in.weights).item<float>(),
                  found.item<float>());
}

TEST(GeneratorCtcLoss, InDoublesIsTheSame) {
  torch::manual_seed(2);
  const CtcInputs in;
  const CtcTargets targets = some_targets();
  const Tensor found = generator_ctc_loss(in.hidden.to(torch::kDouble), in.weight.to(torch::kDouble),
                                          in.bias.to(torch::kDouble), targets, in.weights);
  EXPECT_NEAR(found.item<double>(), expected_ctc_loss(in, targets).item<double>(), 1e-4);
}

TEST(GeneratorCtcLoss, ManyBlocksAreTheSameAsOne) {
  torch::manual_seed(3);
  constexpr int64_t kSentences = 40, kMany = 30000;  // a large vocabulary: a few sentences in each block
  CtcInputs in;
  in.hidden = torch::randn({kSentences, 30, kStateWidth}).requires_grad_();
  in.weight = torch::randn({kMany, kStateWidth}).requires_grad_();
  in.bias = torch::randn({kMany}).requires_grad_();
  in.weights = torch::ones({kSentences});
  CtcTargets targets{torch::randint(4, kMany, {kSentences, 8}), {}, {}, 0};
  for (int64_t i = 0; i < kSentences; ++i) {
    targets.tokens.push_back(i % 9);
    targets.positions.push_back(20 + i % 11);
  }
  const Tensor found = generator_ctc_loss(in.hidden, in.weight, in.bias, targets, in.weights);
  const Tensor expected = expected_ctc_loss(in, targets);
  EXPECT_NEAR(found.item<double>() / expected.item<double>(), 1, 1e-5);
  const auto gradients = in.gradients(found), known = in.gradients(expected);
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(gradients[i], known[i], 1e-3, 1e-4)) << i;
}

TEST(GeneratorCtcLoss, LongSentencesEmptyTargetsAndWeightsOfZeroAreTheSame) {
  torch::manual_seed(6);
  constexpr int64_t kLong = 700;  // more than the rows of a block
  CtcInputs in;
  in.hidden = torch::randn({3, kLong, kStateWidth}).requires_grad_();
  in.weights = torch::tensor({1.0F, 0.0F, 2.0F});
  const std::vector<CtcTargets> cases{{torch::randint(1, kSymbols, {3, 200}), {200, 7, 0}, {kLong, kLong, 1}, 0},
                                      {torch::zeros({3, 0}, torch::kLong), {0, 0, 0}, {kLong, 2, 1}, 0}};
  for (const CtcTargets& targets : cases) {
    const Tensor found = generator_ctc_loss(in.hidden, in.weight, in.bias, targets, in.weights);
    const Tensor expected = expected_ctc_loss(in, targets);
    EXPECT_NEAR(found.item<double>() / expected.item<double>(), 1, 1e-5);
    const auto gradients = in.gradients(found), known = in.gradients(expected);
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(gradients[i], known[i], 1e-3, 1e-3)) << i;
    EXPECT_EQ(gradients[0][1].abs().max().item<float>(), 0);
    const auto symbols = generator_symbols(in.hidden, in.weight, in.bias, targets);
    EXPECT_EQ(symbols[0].logits.size(), static_cast<size_t>(kLong * (targets.tokens[0] + 1)));
  }
}

TEST(GeneratorCtcLoss, OfStatesThatAreNotNumbersIsNotANumber) {
  const CtcInputs in;
  const Tensor broken = torch::full_like(in.hidden, std::numeric_limits<float>::quiet_NaN());
  const Tensor loss = generator_ctc_loss(broken, in.weight, in.bias, some_targets(), in.weights);
  EXPECT_TRUE(std::isnan(loss.item<float>()));
}

TEST(GeneratorCtcLoss, InBf16IsNearlyTheSame) {
  torch::manual_seed(4);
  const CtcInputs in;
  const CtcTargets targets = some_targets();
  at::autocast::set_autocast_enabled(at::kCPU, true);
  const Tensor found = generator_ctc_loss(in.hidden, in.weight, in.bias, targets, in.weights);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  const Tensor expected = expected_ctc_loss(in, targets);
  EXPECT_NEAR(found.item<double>() / expected.item<double>(), 1, 0.01);
  const auto gradients = in.gradients(found), known = in.gradients(expected);
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_LT((gradients[i] - known[i]).norm().item<double>(), 0.02 * known[i].norm().item<double>()) << i;
  }
}

TEST(GeneratorCtcLoss, WrongSizesAndIdsAreRefused) {
  const CtcInputs in;
  const auto loss = [&](const CtcTargets& targets) {
    return generator_ctc_loss(in.hidden, in.weight, in.bias, targets, in.weights);
  };
  CtcTargets fewer = some_targets(), longer = some_targets(), unknown = some_targets(), blank = some_targets();
  fewer.tokens.pop_back();
  longer.positions[0] = kPositions + 1;
  unknown.ids[0][0] = kSymbols;
  blank.blank = kSymbols;
  for (const CtcTargets& targets : {fewer, longer, unknown, blank}) EXPECT_THROW(loss(targets), c10::Error);
  const auto weighted = [&](const Tensor& weights) {
    return generator_ctc_loss(in.hidden, in.weight, in.bias, some_targets(), weights);
  };
  EXPECT_THROW(weighted(torch::ones({3})), c10::Error);
  EXPECT_THROW(weighted(torch::ones({4}, torch::kDouble)), c10::Error);
  EXPECT_THROW(generator_ctc_loss(in.hidden, in.weight, in.bias.to(torch::kDouble), some_targets(), in.weights),
               c10::Error);
}

TEST(GeneratorSymbols, AreTheLargestLogitsAndThoseOfTheTarget) {
  torch::manual_seed(5);
  const CtcInputs in;
  const CtcTargets targets = some_targets();
  const Tensor logits = at::linear(in.hidden, in.weight, in.bias), best = logits.argmax(2);
  const auto check = [&](const std::vector<SymbolLogits>& found) {
    ASSERT_EQ(found.size(), 4U);
    for (size_t i = 0; i < 4; ++i) {
      const auto row = static_cast<int64_t>(i);
      const auto width = static_cast<size_t>(targets.tokens[i]) + 1;
      ASSERT_EQ(found[i].best.size(), static_cast<size_t>(targets.positions[i]));
      ASSERT_EQ(found[i].logits.size(), found[i].best.size() * width);
      for (size_t t = 0; t < found[i].best.size(); ++t) {
        const auto place = static_cast<int64_t>(t);
        EXPECT_EQ(found[i].best[t], best[row][place].item<int64_t>());
        EXPECT_NEAR(found[i].logits[t * width], logits[row][place][0].item<float>(), 1e-5);
        for (size_t k = 1; k < width; ++k) {
          const auto id = targets.ids[row][static_cast<int64_t>(k) - 1].item<int64_t>();
          EXPECT_NEAR(found[i].logits[t * width + k], logits[row][place][id].item<float>(), 1e-5);
        }
      }
    }
  };
  check(generator_symbols(in.hidden, in.weight, in.bias, targets));
  check(generator_symbols(in.hidden.to(torch::kDouble), in.weight.to(torch::kDouble), in.bias.to(torch::kDouble),
                          targets));
}

}  // namespace
}  // namespace ventris::nn
