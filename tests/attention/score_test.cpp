#include "attention/score.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <sstream>
#include <stdexcept>

#include "attention/multi_head_attention.h"
#include "nn/random_scope.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

const std::vector<nn::AttentionScore> kKinds{nn::AttentionScore::kDot, nn::AttentionScore::kCosine,
                                             nn::AttentionScore::kBilinear, nn::AttentionScore::kAdditive,
                                             nn::AttentionScore::kGaussian};

class ScoreOfEachKind : public testing::TestWithParam<nn::AttentionScore> {
 protected:
  ScoreOfEachKind() { torch::manual_seed(1); }

  MultiHeadAttention attention(double dropout = 0) {
    return MultiHeadAttention(MultiHeadAttentionOptions(8, 2).dropout(dropout).d_k(3).d_v(5).score(GetParam()));
  }
};

TEST_P(ScoreOfEachKind, HidingKeysEqualsLeavingThemOut) {
  auto block = attention();
  const auto query = torch::randn({1, 3, 8}), memory = torch::randn({1, 4, 8});
  const auto fewer = memory.index_select(1, torch::tensor({0, 2}));
  const auto mask = torch::tensor({1, 0, 1, 0}).to(torch::kBool).view({1, 1, 4});
  EXPECT_TRUE(torch::allclose(block(query, memory, memory, mask), block(query, fewer, fewer), 1e-5, 1e-6));
}

TEST_P(ScoreOfEachKind, NowhereToLookMixesInZerosAndLeavesGradientsFinite) {
  auto block = attention();
  const auto x = torch::randn({1, 3, 8}, torch::requires_grad());
  auto mask = torch::ones({1, 3, 3}, torch::kBool);
  mask[0][1].fill_(false);
  const auto [output, weights] = block->forward_with_weights(x, x, x, mask);
  EXPECT_TRUE(torch::equal(weights.select(2, 1), torch::zeros({1, 2, 3})));
  EXPECT_TRUE(torch::equal(output[0][1], block->linears->ptr<nn::LinearImpl>(3)->bias));
  EXPECT_TRUE(torch::allclose(block(x, x, x, mask), output));
  output.pow(2).sum().backward();
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
  for (const auto& item : block->named_parameters()) {
    EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << item.key();
  }
}

TEST_P(ScoreOfEachKind, AVectorOfZerosHasFiniteScoresAndGradients) {
  auto block = attention();
  const auto x = torch::zeros({1, 3, 8}, torch::requires_grad());
  {
    const torch::NoGradGuard no_grad;
    for (size_t i = 0; i < 3; ++i) block->linears->ptr<nn::LinearImpl>(i)->bias.zero_();
  }
  block(x, x, x).sum().backward();
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

TEST_P(ScoreOfEachKind, DropoutDrawsFromTheRandomScope) {
  auto block = attention(0.5);
  const auto x = torch::randn({2, 6, 8});
  const auto with_seed = [&](uint64_t seed) {
    const nn::RandomScope scope(at::detail::createCPUGenerator(seed));
    return block(x, x, x);
  };
  EXPECT_TRUE(torch::equal(with_seed(5), with_seed(5)));
  EXPECT_FALSE(torch::allclose(with_seed(5), with_seed(6)));
  block->eval();
  EXPECT_TRUE(torch::equal(with_seed(5), with_seed(6)));
}

TEST_P(ScoreOfEachKind, AutocastRoundsOnlyTheProjections) {
  auto block = attention();
  const auto x = torch::randn({2, 6, 8}, torch::requires_grad());
  const auto mask = torch::ones({1, 6, 6}, torch::kBool).tril();
  const Tensor plain = block(x, x, x, mask);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
  const auto [rounded, weights] = block->forward_with_weights(x, x, x, mask);
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  EXPECT_EQ(rounded.scalar_type(), torch::kBFloat16);
  EXPECT_EQ(weights.scalar_type(), torch::kFloat);
  EXPECT_LT((rounded - plain).abs().max().item<double>(), 0.05);
  rounded.to(torch::kFloat).sum().backward();
  EXPECT_EQ(x.grad().scalar_type(), torch::kFloat);
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

INSTANTIATE_TEST_SUITE_P(Kinds, ScoreOfEachKind, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return architecture::name_of(kind.param); });

Tensor heads(int64_t length) { return torch::randn({2, 2, length, 4}); }

TEST(Score, ANewBilinearScoreIsTheScaledDotProduct) {
  torch::manual_seed(1);
  Score score(nn::AttentionScore::kBilinear, 2, 4);
  const Tensor query = heads(3), key = heads(5);
  EXPECT_TRUE(torch::allclose(score(query, key), torch::matmul(query, key.transpose(2, 3)) / 2, 1e-5, 1e-6));
}

TEST(Score, ACosineIsTheSameForLongerVectorsAndItsFactorHasALimit) {
  torch::manual_seed(1);
  Score score(nn::AttentionScore::kCosine, 2, 4);
  const Tensor query = heads(3), key = heads(5);
  const Tensor before = score(query, key);
  EXPECT_TRUE(torch::allclose(before, score(7 * query, 0.1 * key), 1e-4, 1e-5));
  EXPECT_LE(before.abs().max().item<double>(), 10.001);
  const torch::NoGradGuard no_grad;
  score->log_scale.fill_(50);
  EXPECT_TRUE(torch::allclose(score(query, key), 10 * before, 1e-4, 1e-4));
}

TEST(Score, GaussianWeightsAreLargestForTheNearestKey) {
  torch::manual_seed(1);
  Score score(nn::AttentionScore::kGaussian, 2, 4);
  const Tensor query = heads(3), key = heads(5);
  const Tensor nearest = torch::cdist(query, key).argmin(-1);
  EXPECT_TRUE(torch::equal(score(query, key).argmax(-1), nearest));
}

TEST(Score, ScaledDotNeedsNoModule) {
  EXPECT_THROW(Score(nn::AttentionScore::kScaledDot, 2, 4), std::invalid_argument);
  EXPECT_TRUE(MultiHeadAttention(MultiHeadAttentionOptions(8, 2))->score.is_empty());
}

TEST(Score, PrintsItsKind) {
  std::ostringstream text;
  text << Score(nn::AttentionScore::kAdditive, 2, 4);
  EXPECT_NE(text.str().find("ventris::attention::Score(additive)"), std::string::npos) << text.str();
}

}  // namespace
}  // namespace ventris::attention
