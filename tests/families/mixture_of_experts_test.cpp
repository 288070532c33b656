#include "families/mixture_of_experts.h"

#include <gtest/gtest.h>

#include <sstream>

#include "families/small_transformer.h"

namespace ventris::families {
namespace {

using torch::Tensor;

nn::TransformerOptions expert_options(int64_t experts, int64_t per_token) {
  nn::TransformerOptions options = small_options();
  options.dropout = 0;
  options.experts = experts;
  options.experts_per_token = per_token;
  return options;
}

Tensor of_expert(MixtureOfExperts& block, int64_t expert, const Tensor& x) {
  return block->experts->ptr<PositionwiseFeedForwardImpl>(static_cast<size_t>(expert))->forward(x);
}

TEST(MixtureOfExperts, GivesEachTokenItsBestExpertTimesItsProbability) {
  torch::manual_seed(1);
  MixtureOfExperts block(expert_options(4, 1));
  const Tensor x = torch::randn({2, 9, 16}), found = block(x), weights = block->router(x).softmax(-1);
  ASSERT_EQ(found.sizes(), x.sizes());
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t i = 0; i < 9; ++i) {
      const auto best = weights[row][i].argmax().item<int64_t>();
      const Tensor expected = weights[row][i][best] * of_expert(block, best, x[row][i].unsqueeze(0)).squeeze(0);
      EXPECT_TRUE(torch::allclose(found[row][i], expected, 1e-5, 1e-6)) << row << " " << i;
    }
  }
}

TEST(MixtureOfExperts, SharesOfTwoExpertsSumToOne) {
  MixtureOfExperts block(expert_options(5, 2));
  const torch::NoGradGuard no_grad;
  for (auto& expert : block->named_parameters()) {
    if (expert.key().starts_with("experts")) expert.value().zero_();
    if (expert.key().ends_with("w_2.bias")) expert.value().fill_(3);
  }
  EXPECT_TRUE(torch::allclose(block(torch::randn({2, 5, 16})), torch::full({2, 5, 16}, 3.0)));
}

TEST(MixtureOfExperts, ATokenDoesNotDependOnTheOthersInItsBatch) {
  torch::manual_seed(2);
  for (const int64_t per_token : {1, 2}) {
    MixtureOfExperts block(expert_options(3, per_token));
    const Tensor x = torch::randn({3, 7, 16}), found = block(x);
    for (int64_t row = 0; row < 3; ++row) {
      EXPECT_TRUE(torch::allclose(block(x.narrow(0, row, 1).narrow(1, 2, 1)), found.narrow(0, row, 1).narrow(1, 2, 1),
                                  1e-5, 1e-6));
    }
  }
}

TEST(MixtureOfExperts, TheRouterAndTheChosenExpertsLearnAndNoOther) {
  torch::manual_seed(3);
  MixtureOfExperts block(expert_options(3, 1));
  {
    const torch::NoGradGuard no_grad;
    block->router->weight.zero_();
    block->router->weight[1].fill_(1);
  }
  block(torch::ones({1, 2, 16})).square().sum().backward();  // all choose expert 1
  EXPECT_GT(block->router->weight.grad().abs().sum().item<double>(), 0);
  for (const auto& parameter : block->named_parameters()) {
    if (!parameter.key().starts_with("experts")) continue;
    EXPECT_EQ(parameter.value().grad().defined(), parameter.key().starts_with("experts.1.")) << parameter.key();
  }
}

TEST(MixtureOfExperts, KeepsTheProbabilitiesOfAWatchedRouter) {
  MixtureOfExperts block(expert_options(4, 2));
  const Tensor x = torch::randn({2, 3, 16});
  const nn::RouterWatch watch({block.get()});
  block(x);
  EXPECT_EQ(watch.kept(0).sizes(), torch::IntArrayRef({2, 3, 4}));
  EXPECT_TRUE(torch::allclose(watch.kept(0).sum(-1), torch::ones({2, 3})));
}

TEST(MixtureOfExperts, IsInTheLayersOfItsInterval) {
  nn::TransformerOptions options = expert_options(3, 1);
  options.encoder_layers = 3;
  options.expert_interval = 2;
  const EncoderDecoder model = small_model(options);
  const nn::RoutedBlocks blocks = model->routed_blocks();
  EXPECT_EQ(blocks.encoder.size(), 1U);
  EXPECT_EQ(blocks.decoder.size(), 1U);
  EXPECT_EQ(blocks.balance, 0.01);
  EXPECT_TRUE(model->named_parameters().contains("encoder.layers.1.feed_forward.router.weight"));
  EXPECT_TRUE(small_model()->routed_blocks().encoder.empty());
}

TEST(MixtureOfExperts, OfNoTokensIsNothing) {
  MixtureOfExperts block(expert_options(3, 2));
  EXPECT_EQ(block(torch::zeros({2, 0, 16})).sizes(), torch::IntArrayRef({2, 0, 16}));
  EXPECT_EQ(block(torch::zeros({0, 4, 16})).sizes(), torch::IntArrayRef({0, 4, 16}));
}

TEST(MixtureOfExperts, PrintsItsNumbers) {
  std::ostringstream text;
  text << MixtureOfExperts(expert_options(4, 2));
  EXPECT_NE(text.str().find("MixtureOfExperts(experts=4, experts_per_token=2)"), std::string::npos) << text.str();
}

}  // namespace
}  // namespace ventris::families
