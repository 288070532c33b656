#include "training/balance_loss.h"

#include <gtest/gtest.h>

namespace ventris::training {
namespace {

using torch::Tensor;

double found(const Tensor& probabilities, const Tensor& tokens, int64_t per_token = 1) {
  return imbalance(probabilities, tokens, per_token).item<double>();
}

TEST(Imbalance, IsOneForEvenUseAndTheNumberOfExpertsForASingleOne) {
  const Tensor even = torch::eye(4).unsqueeze(0), all = torch::ones({1, 4}, torch::kBool);
  EXPECT_NEAR(found(even, all), 1, 1e-6);
  const Tensor single = torch::zeros({1, 4, 4});
  single.select(2, 1).fill_(1);
  EXPECT_NEAR(found(single, all), 4, 1e-6);
}

/// f = (2/3, 1/3, 0), P = (0.5, 0.3, 0.2).
TEST(Imbalance, IsTheFormulaOfFedus) {
  const Tensor probabilities =
      torch::tensor({0.6, 0.3, 0.1, 0.7, 0.1, 0.2, 0.2, 0.5, 0.3}).view({1, 3, 3}).to(torch::kDouble);
  EXPECT_NEAR(found(probabilities, torch::ones({1, 3}, torch::kBool)), 3 * (2 * 0.5 + 0.3) / 3, 1e-6);
}

TEST(Imbalance, CountsBothChoicesOfAToken) {
  const Tensor probabilities = torch::tensor({0.6, 0.3, 0.1, 0.5, 0.1, 0.4}).view({1, 2, 3});
  EXPECT_NEAR(found(probabilities, torch::ones({1, 2}, torch::kBool), 2), 3 * (0.5 * 0.55 + 0.25 * 0.2 + 0.25 * 0.25),
              1e-6);
}

TEST(Imbalance, LeavesPaddingOut) {
  const Tensor probabilities = torch::tensor({0.9, 0.1, 0.2, 0.8, 0.9, 0.1}).view({1, 3, 2});
  const Tensor tokens = torch::tensor({true, true, false}).unsqueeze(0);
  EXPECT_NEAR(found(probabilities, tokens), 2 * (0.5 * 0.55 + 0.5 * 0.45), 1e-6);
  EXPECT_FALSE(imbalance(probabilities, torch::zeros({1, 3}, torch::kBool), 1).defined());
}

TEST(Imbalance, TeachesTheRouterAwayFromThePopularExpert) {
  Tensor logits = torch::tensor({2.0, 0.0, 2.0, 0.0}).view({1, 2, 2}).requires_grad_();
  imbalance(logits.softmax(-1), torch::ones({1, 2}, torch::kBool), 1).backward();
  EXPECT_GT(logits.grad()[0][0][0].item<double>(), 0);
  EXPECT_LT(logits.grad()[0][0][1].item<double>(), 0);
}

TEST(BalanceLoss, OfAModelWithoutExpertsIsUndefined) {
  const BalanceLoss loss({}, /*learn=*/true);
  EXPECT_FALSE(loss.of(torch::ones({1, 2}, torch::kLong), torch::ones({1, 2}, torch::kLong), 0).defined());
}

}  // namespace
}  // namespace ventris::training
