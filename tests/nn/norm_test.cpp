#include "nn/norm.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace ventris::nn {
namespace {

struct Autocast {
  Autocast() {
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, torch::kBFloat16);
  }
  ~Autocast() { at::autocast::set_autocast_enabled(at::kCPU, false); }
};

Norm random_norm(int64_t width, NormKind kind = NormKind::kLayer) {
  Norm norm(kind, width);
  const torch::NoGradGuard no_grad;
  for (torch::Tensor& parameter : norm->parameters()) parameter.normal_();
  return norm;
}

TEST(Norm, ABranchIsXAndTorchsNormWhereNothingIsLearnt) {
  torch::manual_seed(1);
  auto norm = random_norm(24);
  const auto x = torch::randn({2, 5, 24});
  const torch::NoGradGuard no_grad;
  const auto [same, normed] = norm->branch(x);
  EXPECT_TRUE(same.is_same(x));
  EXPECT_TRUE(torch::equal(normed, norm(x)));
}

TEST(Norm, TheEpsilonIsAddedToTheVariance) {
  Norm norm(NormKind::kLayer, 4, 3.0);
  const auto x = torch::tensor({1.0F, -1.0F, 1.0F, -1.0F});  // variance 1
  EXPECT_TRUE(torch::allclose(norm(x), x / 2));
  EXPECT_TRUE(torch::allclose(norm->branch(x.clone().requires_grad_()).second, x / 2));
}

TEST(Norm, ABranchOfXWithGapsIsThatOfItsCopy) {
  torch::manual_seed(1);
  auto norm = random_norm(24);
  const auto x = torch::randn({24, 5, 2}).transpose(0, 2).requires_grad_();  // [2, 5, 24]
  const auto [same, normed] = norm->branch(x);
  EXPECT_TRUE(torch::equal(same, x));
  EXPECT_TRUE(torch::allclose(normed, norm(x), 1e-5, 1e-6));
}

TEST(Norm, ABranchOfAnotherWidthIsRefused) {
  for (const NormKind kind : {NormKind::kLayer, NormKind::kRms}) {
    EXPECT_THROW(Norm(kind, 24)->branch(torch::randn({2, 25})), c10::Error);
  }
}

TEST(Norm, UnderAutocastProductsGetTheResultRoundedToBf16) {
  torch::manual_seed(1);
  for (const NormKind kind : {NormKind::kLayer, NormKind::kRms}) {
    auto norm = random_norm(24, kind);
    const auto x = torch::randn({2, 5, 24});
    const Autocast autocast;
    const auto [same, narrow] = norm->branch(x);
    EXPECT_TRUE(torch::equal(same, x));
    EXPECT_EQ(narrow.scalar_type(), torch::kBFloat16);
    EXPECT_EQ(narrow.sizes(), x.sizes());
    EXPECT_TRUE(torch::allclose(narrow.to(torch::kFloat), norm(x), 1.0 / 256, 1e-6));
  }
}

/// The gradients of x, gain and bias from those of what a branch returns; undefined ones are not asked for.
std::vector<torch::Tensor> gradients(Norm& norm, const torch::Tensor& x, const torch::Tensor& of_same,
                                     const torch::Tensor& of_normed, bool fused) {
  const std::vector<torch::Tensor> inputs{x, norm->weight, norm->bias};
  const auto [same, normed] = fused ? norm->branch(x) : std::pair(x * 1, norm(x));
  std::vector<torch::Tensor> outputs, outer;
  if (of_same.defined()) outputs.push_back(same), outer.push_back(of_same);
  if (of_normed.defined()) outputs.push_back(normed), outer.push_back(of_normed.to(normed.scalar_type()));
  return torch::autograd::grad(outputs, inputs, outer, std::nullopt, false, /*allow_unused=*/true);
}

void expect_torchs_gradients(const torch::Tensor& of_same, const torch::Tensor& of_normed, bool bf16) {
  torch::manual_seed(1);
  auto norm = random_norm(24);
  const auto x = torch::randn({7, 3, 24}).requires_grad_();
  const auto expected = gradients(norm, x, of_same, of_normed, false);
  std::optional<Autocast> autocast;
  if (bf16) autocast.emplace();
  const auto found = gradients(norm, x, of_same, of_normed, true);
  for (size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(found[i].defined(), expected[i].defined()) << i;
    if (!expected[i].defined()) continue;
    EXPECT_EQ(found[i].scalar_type(), torch::kFloat);
    EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
  }
}

TEST(Norm, ABranchsGradientsAreTorchs) {
  const auto of_same = torch::randn({7, 3, 24}), of_normed = torch::randn({7, 3, 24}).to(torch::kBFloat16);
  for (const bool bf16 : {false, true}) {
    SCOPED_TRACE(bf16);
    expect_torchs_gradients(of_same, of_normed, bf16);
    expect_torchs_gradients({}, of_normed, bf16);
    expect_torchs_gradients(of_same, {}, bf16);
  }
}

TEST(RmsNorm, DividesByTheRootMeanSquareAndHasNoBias) {
  torch::manual_seed(1);
  auto norm = random_norm(24, NormKind::kRms);
  EXPECT_EQ(norm->named_parameters().keys(), std::vector<std::string>{"weight"});
  const auto x = 3 + torch::randn({2, 5, 24});
  const auto expected = x / (x.square().mean(-1, /*keepdim=*/true) + 1e-5).sqrt() * norm->weight;
  EXPECT_TRUE(torch::allclose(norm(x), expected, 1e-5, 1e-6));
  const auto [same, normed] = norm->branch(x);
  EXPECT_TRUE(same.is_same(x));
  EXPECT_TRUE(torch::equal(normed, norm(x)));
}

TEST(RmsNorm, TheEpsilonIsAddedToTheMeanSquare) {
  Norm norm(NormKind::kRms, 4, 3.0);
  const auto x = torch::tensor({1.0F, -1.0F, 1.0F, -1.0F});
  EXPECT_TRUE(torch::allclose(norm(x), x / 2));
}

TEST(RmsNorm, GradientsAreThoseOfTheFormula) {
  torch::manual_seed(1);
  auto norm = random_norm(24, NormKind::kRms);
  const auto x = torch::randn({7, 24}).requires_grad_(), outer = torch::randn({7, 24});
  const auto plain = x * (x.square().mean(-1, /*keepdim=*/true) + 1e-5).rsqrt() * norm->weight;
  const auto found = torch::autograd::grad({norm(x)}, {x, norm->weight}, {outer});
  const auto expected = torch::autograd::grad({plain}, {x, norm->weight}, {outer});
  for (size_t i = 0; i < 2; ++i) EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
}

TEST(Norm, PrintsItsKind) {
  std::ostringstream text;
  text << *Norm(NormKind::kRms, 24);
  EXPECT_EQ(text.str(), "ventris::nn::Norm(rms, width=24, epsilon=1e-05)");
}

}  // namespace
}  // namespace ventris::nn
