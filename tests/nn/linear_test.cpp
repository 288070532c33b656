#include "nn/linear.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

namespace ventris::nn {
namespace {

TEST(Linear, ComputesWhatTorchsDoes) {
  Linear ours(3, 2);
  const auto x = torch::randn({4, 5, 3});
  EXPECT_TRUE(torch::allclose(ours(x), torch::matmul(x, ours->weight.t()) + ours->bias));
}

TEST(Linear, ASharedWeightIsRegisteredToo) {
  Linear linear(3, 5);
  Embedding table(5, 3);
  linear->share_weight(table->weight);
  EXPECT_TRUE(linear->named_parameters()["weight"].is_same(table->weight));
  EXPECT_TRUE(linear->weight.is_same(table->weight));
  EXPECT_EQ(linear->parameters().size(), 2U);
}

TEST(Linear, SharingStaysThroughAChangeOfType) {
  auto both = torch::nn::Sequential(Embedding(5, 3), Linear(3, 5));
  both->ptr<LinearImpl>(1)->share_weight(both->ptr<EmbeddingImpl>(0)->weight);
  both->to(torch::kDouble);
  EXPECT_EQ(both->ptr<LinearImpl>(1)->weight.scalar_type(), torch::kDouble);
  EXPECT_TRUE(both->ptr<LinearImpl>(1)->weight.is_same(both->ptr<EmbeddingImpl>(0)->weight));
}

class Bf16Linear : public testing::TestWithParam<int64_t> {
 protected:
  Bf16Linear() {
    at::autocast::set_autocast_enabled(at::kCPU, true);
    at::autocast::set_autocast_dtype(at::kCPU, torch::kBFloat16);
  }
  ~Bf16Linear() override { at::autocast::set_autocast_enabled(at::kCPU, false); }
};

/// How far apart they are, as a share of the second's size.
double distance(const torch::Tensor& a, const torch::Tensor& b) {
  return (a.to(torch::kFloat) - b).norm().item<double>() / b.norm().item<double>();
}

TEST_P(Bf16Linear, AgreesWithF32ForAnyNumberOfRows) {
  torch::manual_seed(1);
  Linear linear(24, 40);
  const auto x = torch::randn({GetParam(), 24}).requires_grad_(), gradient = torch::randn({GetParam(), 40});
  const auto out = linear(x);
  EXPECT_EQ(out.scalar_type(), torch::kBFloat16);
  const auto got = torch::autograd::grad({(out * gradient).sum()}, {x, linear->weight, linear->bias});

  const auto expected = torch::matmul(x, linear->weight.t()) + linear->bias;
  EXPECT_LT(distance(out, expected.detach()), 0.01);
  at::autocast::set_autocast_enabled(at::kCPU, false);
  const auto exact = torch::autograd::grad({((torch::matmul(x, linear->weight.t()) + linear->bias) * gradient).sum()},
                                           {x, linear->weight, linear->bias});
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(got[i].scalar_type(), torch::kFloat) << i;
    EXPECT_LT(distance(got[i], exact[i]), 0.01) << i;
  }
}

TEST_P(Bf16Linear, KeepsTheOtherDimensions) {
  Linear linear(8, 16);
  EXPECT_EQ(linear(torch::randn({2, GetParam(), 8})).sizes(), (std::vector<int64_t>{2, GetParam(), 16}));
}

INSTANTIATE_TEST_SUITE_P(Rows, Bf16Linear, testing::Values(1, 63, 64, 65, 1023, 1024, 1025, 2111));

TEST(Embedding, LooksUpRows) {
  Embedding table(5, 3);
  const auto looked_up = table(torch::tensor({{4, 0}}));  // [1, 2, 3]
  EXPECT_TRUE(torch::equal(looked_up[0][0], table->weight[4]));
  EXPECT_TRUE(torch::equal(looked_up[0][1], table->weight[0]));
}

}  // namespace
}  // namespace ventris::nn
