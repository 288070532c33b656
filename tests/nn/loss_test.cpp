#include "nn/loss.h"

#include <gtest/gtest.h>

namespace ventris::nn {
namespace {

using torch::Tensor;
constexpr int64_t kPad = 0;

/// The matrix form of The Annotated Transformer: builds the target distribution and takes the divergence.
Tensor matrix_form(const Tensor& logits, const Tensor& targets, double smoothing) {
  auto wanted = torch::full_like(logits, smoothing / static_cast<double>(logits.size(1) - 2)).detach();
  wanted.scatter_(1, targets.unsqueeze(1), 1 - smoothing);
  wanted.select(1, kPad).fill_(0);
  wanted.masked_fill_(targets.eq(kPad).unsqueeze(1), 0);
  return torch::kl_div(logits.log_softmax(1), wanted, torch::Reduction::Sum);
}

/// Logits [tokens, vocab] and targets [tokens] with some padding.
struct Example {
  explicit Example(int64_t tokens = 40, int64_t vocab = 23) {
    torch::manual_seed(3);
    logits = (torch::randn({tokens, vocab}) * 3).requires_grad_();
    targets = torch::randint(vocab, {tokens}, torch::kLong);
    targets[1] = kPad;
  }
  Tensor gradient(const Tensor& loss) const { return torch::autograd::grad({loss}, {logits})[0]; }
  Tensor logits, targets;
};

TEST(LabelSmoothedLoss, EqualsTheMatrixForm) {
  const Example example;
  for (const double smoothing : {0.0, 0.1, 0.4}) {
    const auto loss = label_smoothed_loss(example.logits, example.targets, smoothing, kPad).loss;
    const auto twin = matrix_form(example.logits, example.targets, smoothing);
    EXPECT_TRUE(torch::allclose(loss, twin, 1e-5, 1e-4)) << loss << twin;
    EXPECT_TRUE(torch::allclose(example.gradient(loss), example.gradient(twin), 1e-4, 1e-6));
  }
}

TEST(LabelSmoothedLoss, EqualsTheMatrixFormInManyBlocks) {
  const Example example(300, 4000);  // a block is a few rows of such a vocabulary
  const auto loss = label_smoothed_loss(example.logits, example.targets, 0.1, kPad).loss;
  const auto twin = matrix_form(example.logits, example.targets, 0.1);
  EXPECT_TRUE(torch::allclose(loss, twin, 1e-5)) << loss << twin;
  EXPECT_TRUE(torch::allclose(example.gradient(loss), example.gradient(twin), 1e-4, 1e-7));
}

TEST(LabelSmoothedLoss, TokensThatAreNeverWrittenAreNotAllOfTheLoss) {
  const Example example;
  const auto loss_with = [&](double of_never) {
    Tensor logits = example.logits.detach().clone();
    for (const int64_t never : {kPad, int64_t{7}, int64_t{22}}) logits.select(1, never).fill_(of_never);
    const Tensor targets = example.targets.masked_fill(example.targets.eq(7) | example.targets.eq(22), 5);
    return label_smoothed_loss(logits, targets, 0.1, kPad).loss.item<float>();
  };
  EXPECT_TRUE(loss_with(-1e9) < 40 * 20) << loss_with(-1e9);
  EXPECT_EQ(loss_with(-1e9), loss_with(-1100));
}

TEST(LabelSmoothedLoss, WithoutSmoothingIsCrossEntropy) {
  const Example example;
  const auto both = label_smoothed_loss(example.logits, example.targets, 0, kPad);
  const auto expected =
      torch::nll_loss(example.logits.log_softmax(1), example.targets, {}, torch::Reduction::Sum, kPad);
  EXPECT_TRUE(torch::allclose(both.loss, expected));
  EXPECT_TRUE(torch::allclose(both.nll, expected));
}

TEST(LabelSmoothedLoss, TheNegativeLogLikelihoodIgnoresSmoothingAndHasNoGradient) {
  const Example example;
  const auto smooth = label_smoothed_loss(example.logits, example.targets, 0.3, kPad).nll;
  EXPECT_TRUE(torch::equal(smooth, label_smoothed_loss(example.logits, example.targets, 0, kPad).nll));
  EXPECT_FALSE(smooth.requires_grad());
}

TEST(LabelSmoothedLoss, IsZeroForThePerfectPrediction) {
  const int64_t vocab = 7;
  auto wanted = torch::full({1, vocab}, 0.1 / 5);
  wanted[0][kPad] = 1e-30;
  wanted[0][4] = 0.9;
  const auto loss = label_smoothed_loss(wanted.log(), torch::tensor({4}), 0.1, kPad).loss;
  EXPECT_NEAR(loss.item<double>(), 0, 1e-5);
}

TEST(LabelSmoothedLoss, PaddingTeachesNothing) {
  const Example example;
  const auto gradient = example.gradient(label_smoothed_loss(example.logits, example.targets, 0.1, kPad).loss);
  EXPECT_EQ(gradient[1].abs().max().item<float>(), 0);
  const auto all_padding = torch::zeros({40}, torch::kLong);
  EXPECT_EQ(label_smoothed_loss(example.logits, all_padding, 0.1, kPad).loss.item<float>(), 0);
}

TEST(LabelSmoothedLoss, ScalesItsGradient) {
  const Example example;
  const auto loss = [&] { return label_smoothed_loss(example.logits, example.targets, 0.1, kPad).loss; };
  EXPECT_TRUE(torch::allclose(example.gradient(loss() * 0.5), example.gradient(loss()) * 0.5));
}

TEST(LabelSmoothedLoss, RefusesASecondBackwardPassRatherThanGiveAWrongGradient) {
  const Example example;
  const auto loss = label_smoothed_loss(example.logits, example.targets, 0.1, kPad).loss;
  torch::autograd::grad({loss}, {example.logits}, {}, /*retain_graph=*/true);
  EXPECT_THROW(example.gradient(loss), c10::Error);
}

TEST(LabelSmoothedLoss, LeavesTheLogitsAlone) {
  const Example example;
  const auto before = example.logits.detach().clone();
  example.gradient(label_smoothed_loss(example.logits, example.targets, 0.1, kPad).loss);
  EXPECT_TRUE(torch::equal(example.logits, before));
}

TEST(LabelSmoothedLoss, StaysFiniteForLargeLogits) {
  const auto logits = torch::tensor({{1e4F, -1e4F, 0.F}, {-1e4F, 1e4F, 0.F}}).requires_grad_();
  const auto loss = label_smoothed_loss(logits, torch::tensor({1, 1}), 0.1, kPad).loss;
  loss.backward();
  EXPECT_TRUE(loss.isfinite().item<bool>());
  EXPECT_TRUE(logits.grad().isfinite().all().item<bool>());
}

TEST(LabelSmoothedLoss, TakesHalfPrecisionLogits) {
  const Example example;
  const auto half = example.logits.detach().to(torch::kBFloat16).requires_grad_();
  const auto both = label_smoothed_loss(half, example.targets, 0.1, kPad);
  const auto expected = label_smoothed_loss(half.detach().to(torch::kFloat), example.targets, 0.1, kPad);
  EXPECT_TRUE(torch::allclose(both.loss, expected.loss));
  both.loss.backward();
  EXPECT_EQ(half.grad().scalar_type(), torch::kBFloat16);
}

TEST(LabelSmoothedLoss, NoTokensCostNothing) {
  const auto logits = torch::zeros({0, 5}, torch::requires_grad());
  const auto loss = label_smoothed_loss(logits, torch::zeros({0}, torch::kLong), 0.1, kPad).loss;
  loss.backward();
  EXPECT_EQ(loss.item<float>(), 0);
  EXPECT_EQ(logits.grad().sizes(), logits.sizes());
}

TEST(LabelSmoothedLoss, RefusesShapesThatDoNotFit) {
  EXPECT_THROW(label_smoothed_loss(torch::zeros({3, 5}), torch::zeros({2}, torch::kLong), 0.1, kPad), c10::Error);
  EXPECT_THROW(label_smoothed_loss(torch::zeros({2, 5}), torch::zeros({2}, torch::kLong), 1.0, kPad), c10::Error);
}

TEST(GeneratorLoss, RefusesShapesAndTargetsThatDoNotFit) {
  const auto loss = [](int64_t states, const Tensor& targets, double r_drop) {
    return generator_loss(torch::zeros({states, 4}), torch::zeros({7, 4}), torch::zeros({7}), targets,
                          {.smoothing = 0.1, .pad = kPad, .r_drop = r_drop});
  };
  const Tensor targets = torch::tensor({1, 2, 6});
  EXPECT_NO_THROW(loss(3, targets, 0));
  EXPECT_NO_THROW(loss(6, targets, 1));
  EXPECT_THROW(loss(4, targets, 0), c10::Error);
  EXPECT_THROW(loss(3, targets, 1), c10::Error);
  EXPECT_THROW(loss(3, torch::tensor({1, 2, 7}), 0), c10::Error);
  EXPECT_THROW(loss(3, torch::tensor({1, 2, -1}), 0), c10::Error);
  EXPECT_THROW(loss(3, targets.to(torch::kInt), 0), c10::Error);
  const auto other = [&](const Tensor& bias, double smoothing, int64_t pad, const Tensor& weights) {
    return generator_loss(torch::zeros({3, 4}), torch::zeros({7, 4}), bias, targets,
                          {.smoothing = smoothing, .pad = pad, .weights = weights});
  };
  const Tensor bias = torch::zeros({7});
  EXPECT_NO_THROW(other(bias, 0.1, 0, torch::ones({3})));
  EXPECT_THROW(other(bias.to(torch::kDouble), 0.1, 0, {}), c10::Error);
  EXPECT_THROW(other(bias, 1.0, 0, {}), c10::Error);
  EXPECT_THROW(other(bias, 0.1, 7, {}), c10::Error);
  EXPECT_THROW(other(bias, 0.1, 0, torch::ones({3}, torch::kDouble)), c10::Error);
}

TEST(GeneratorLoss, AgreesWithTheLossOfAllLogitsInValueAndGradients) {
  torch::manual_seed(1);
  constexpr int64_t kVocab = 10'000, kTokens = 300;  // more than one block of rows
  const torch::Tensor hidden = torch::randn({kTokens, 8}).requires_grad_();
  const torch::Tensor weight = torch::randn({kVocab, 8}).requires_grad_(),
                      bias = torch::randn({kVocab}).requires_grad_();
  const torch::Tensor targets = torch::randint(0, kVocab, {kTokens});
  targets[3] = 0;  // padding
  for (const double scale : {1.0, 0.25}) {
    const auto fused = generator_loss(hidden, weight, bias, targets, {.smoothing = 0.1});
    const auto plain = label_smoothed_loss(at::linear(hidden, weight, bias), targets, 0.1, 0);
    EXPECT_TRUE(torch::allclose(fused.loss, plain.loss, 1e-5));
    EXPECT_TRUE(torch::allclose(fused.nll, plain.nll, 1e-5));
    const auto found = torch::autograd::grad({fused.loss * scale}, {hidden, weight, bias});
    const auto expected = torch::autograd::grad({plain.loss * scale}, {hidden, weight, bias});
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
  }
}

TEST(GeneratorLoss, OfTwoPassesAddsTheDivergenceBetweenThem) {
  torch::manual_seed(2);
  constexpr int64_t kVocab = 90, kTokens = 7;
  const torch::Tensor hidden = torch::randn({2 * kTokens, 8}).requires_grad_();
  const torch::Tensor weight = torch::randn({kVocab, 8}).requires_grad_(),
                      bias = torch::randn({kVocab}).requires_grad_();
  const torch::Tensor targets = torch::randint(1, kVocab, {kTokens});
  targets[3] = 0;  // padding
  const auto fused = generator_loss(hidden, weight, bias, targets, {.smoothing = 0.1, .r_drop = 2.5});
  const torch::Tensor logits = at::linear(hidden, weight, bias);
  const auto both = label_smoothed_loss(logits, torch::cat({targets, targets}), 0.1, 0);
  const torch::Tensor plain = both.loss + 2.5 * pair_divergence(logits, targets, 0);
  EXPECT_TRUE(torch::allclose(fused.loss, plain, 1e-5));
  EXPECT_TRUE(torch::allclose(fused.nll, both.nll, 1e-5));
  const auto found = torch::autograd::grad({fused.loss}, {hidden, weight, bias});
  const auto expected = torch::autograd::grad({plain}, {hidden, weight, bias});
  for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
}

TEST(LabelSmoothedLoss, AWeightMultipliesATokensLoss) {
  const Example example;
  const auto weights = torch::rand({40}) * 3;
  const auto found = label_smoothed_loss(example.logits, example.targets, 0.1, kPad, weights);
  Tensor loss = torch::zeros({}), nll = torch::zeros({});
  for (int64_t i = 0; i < 40; ++i) {
    const auto alone = label_smoothed_loss(example.logits.narrow(0, i, 1), example.targets.narrow(0, i, 1), 0.1, kPad);
    loss = loss + weights[i] * alone.loss;
    nll = nll + weights[i] * alone.nll;
  }
  EXPECT_TRUE(torch::allclose(found.loss, loss, 1e-5));
  EXPECT_TRUE(torch::allclose(found.nll, nll, 1e-5));
  EXPECT_TRUE(torch::allclose(example.gradient(found.loss), example.gradient(loss), 1e-4, 1e-6));
}

TEST(GeneratorLoss, WithWeightsAgreesWithTheLossOfAllLogits) {
  torch::manual_seed(2);
  constexpr int64_t kVocab = 10'000, kTokens = 300;  // more than one block of rows
  const Tensor weight = torch::randn({kVocab, 8}).requires_grad_(), bias = torch::randn({kVocab}).requires_grad_();
  const Tensor targets = torch::randint(1, kVocab, {kTokens}), weights = torch::rand({kTokens}) * 3;
  for (const double r_drop : {0.0, 2.5}) {
    const int64_t passes = r_drop > 0 ? 2 : 1;
    const Tensor hidden = torch::randn({passes * kTokens, 8}).requires_grad_();
    const auto fused =
        generator_loss(hidden, weight, bias, targets, {.smoothing = 0.1, .r_drop = r_drop, .weights = weights});
    const Tensor logits = at::linear(hidden, weight, bias);
    auto plain = label_smoothed_loss(logits, targets.repeat({passes}), 0.1, 0, weights.repeat({passes}));
    if (r_drop > 0) plain.loss = plain.loss + r_drop * pair_divergence(logits, targets, 0, weights);
    EXPECT_TRUE(torch::allclose(fused.loss, plain.loss, 1e-5));
    EXPECT_TRUE(torch::allclose(fused.nll, plain.nll, 1e-5));
    const auto found = torch::autograd::grad({fused.loss}, {hidden, weight, bias});
    const auto expected = torch::autograd::grad({plain.loss}, {hidden, weight, bias});
    for (size_t i = 0; i < 3; ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-4)) << i;
  }
}

TEST(GeneratorLoss, NeedsNoGradientsWhereNobodyLearns) {
  const torch::NoGradGuard no_grad;
  const torch::Tensor hidden = torch::randn({4, 8}), weight = torch::randn({9, 8}), bias = torch::randn({9});
  const torch::Tensor targets = torch::tensor({1, 2, 3, 4});
  const auto fused = generator_loss(hidden, weight, bias, targets, {.smoothing = 0.1});
  EXPECT_TRUE(
      torch::allclose(fused.loss, label_smoothed_loss(at::linear(hidden, weight, bias), targets, 0.1, 0).loss, 1e-5));
}

}  // namespace
}  // namespace ventris::nn
