#include "nn/linear.h"

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

TEST(Embedding, LooksUpRows) {
  Embedding table(5, 3);
  const auto looked_up = table(torch::tensor({{4, 0}}));  // [1, 2, 3]
  EXPECT_TRUE(torch::equal(looked_up[0][0], table->weight[4]));
  EXPECT_TRUE(torch::equal(looked_up[0][1], table->weight[0]));
}

}  // namespace
}  // namespace ventris::nn
