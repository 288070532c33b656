#include "nn/module_parameters.h"

#include <gtest/gtest.h>

#include "nn/linear.h"

namespace ventris::nn {
namespace {

TEST(DistinctParameters, NameATiedTensorOnce) {
  auto both = torch::nn::Sequential(Embedding(5, 3), Linear(3, 5));
  both->ptr<LinearImpl>(1)->share_weight(both->ptr<EmbeddingImpl>(0)->weight);
  EXPECT_EQ(both->parameters().size(), 3U);
  const auto distinct = distinct_parameters(*both);
  ASSERT_EQ(distinct.size(), 2U);  // table, bias
  EXPECT_TRUE(distinct[0].is_same(both->ptr<EmbeddingImpl>(0)->weight));
}

TEST(DistinctParameters, AreSteppedOnce) {
  auto both = torch::nn::Sequential(Embedding(5, 3), Linear(3, 5));
  auto& table = both->ptr<EmbeddingImpl>(0)->weight;
  both->ptr<LinearImpl>(1)->share_weight(table);
  const auto before = table.detach().clone();
  torch::optim::SGD optimizer(distinct_parameters(*both), torch::optim::SGDOptions(1.0));
  table.sum().backward();
  optimizer.step();
  EXPECT_TRUE(torch::allclose(table, before - 1));
}

TEST(DistinctParameters, StandInTheOrderOfRegistration) {
  auto layers = torch::nn::Sequential(Linear(3, 5), Linear(5, 2));
  const auto all = layers->parameters(), distinct = distinct_parameters(*layers);
  ASSERT_EQ(distinct.size(), all.size());
  for (size_t i = 0; i < all.size(); ++i) EXPECT_TRUE(distinct[i].is_same(all[i])) << i;
}

TEST(DistinctParameters, EqualNumbersDoNotMakeTwoTensorsOne) {
  auto both = torch::nn::Sequential(torch::nn::LayerNorm(torch::nn::LayerNormOptions({4})),
                                    torch::nn::LayerNorm(torch::nn::LayerNormOptions({4})));
  EXPECT_EQ(distinct_parameters(*both).size(), 4U);  // ones and zeros, twice
}

TEST(DistinctParameters, BuffersAreNoneAndFrozenOnesAre) {
  torch::nn::BatchNorm1d norm(3);  // with a running mean and variance
  norm->weight.requires_grad_(false);
  EXPECT_EQ(distinct_parameters(*norm).size(), 2U);
  EXPECT_TRUE(distinct_parameters(*torch::nn::ReLU()).empty());
}

}  // namespace
}  // namespace ventris::nn
