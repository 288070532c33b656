#include "attention/linear_attention.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "nn/masks.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

LinearAttention make_linear(bool causal) {
  torch::manual_seed(1);
  return LinearAttention(MultiHeadAttentionOptions(8, 2).dropout(0).d_k(3).d_v(5), causal);
}

/// What the weights of all pairs of positions give.
Tensor by_weights(LinearAttention& attention, const Tensor& x, const Tensor& mask) {
  const Tensor q = at::elu(attention->project(0, x)) + 1, k = at::elu(attention->project(1, x)) + 1;
  const Tensor products = at::matmul(q, k.transpose(-2, -1)).masked_fill(mask.unsqueeze(1).logical_not(), 0);
  const Tensor mixed = at::matmul(products / products.sum(-1, true), attention->project(2, x));
  return attention->linears->ptr<nn::LinearImpl>(3)->forward(mixed.transpose(1, 2).flatten(2));
}

class LinearAttentionOfEachSide : public testing::TestWithParam<bool> {
 protected:
  LinearAttention attention = make_linear(GetParam());
  Tensor mask_of(const Tensor& ids) const { return GetParam() ? nn::target_mask(ids, 0) : nn::padding_mask(ids, 0); }
};

TEST_P(LinearAttentionOfEachSide, SumsComputeWhatWeightsDo) {
  for (const int64_t len : {1, 63, 64, 65, 200}) {
    Tensor ids = torch::ones({2, len}, torch::kLong);
    ids.narrow(1, len - len / 3, len / 3)[1].zero_();
    const Tensor mask = mask_of(ids);
    const auto x = torch::randn({2, len, 8}, torch::requires_grad());
    const Tensor expected = by_weights(attention, x, mask), found = attention(x, x, x, mask);
    EXPECT_TRUE(torch::allclose(found, expected, 1e-4, 1e-5)) << len;
    const Tensor wanted = torch::autograd::grad({expected.square().sum()}, {x})[0];
    EXPECT_TRUE(torch::allclose(torch::autograd::grad({found.square().sum()}, {x})[0], wanted, 1e-3, 1e-5)) << len;
  }
}

TEST_P(LinearAttentionOfEachSide, PaddingChangesNothing) {
  const auto x = torch::randn({1, 70, 8});
  const auto padded = torch::cat({x, torch::full({1, 5, 8}, 7.0)}, 1);
  const auto ids = torch::cat({torch::ones({1, 70}, torch::kLong), torch::zeros({1, 5}, torch::kLong)}, 1);
  EXPECT_TRUE(torch::allclose(attention(padded, padded, padded, mask_of(ids)).narrow(1, 0, 70),
                              attention(x, x, x, mask_of(ids.narrow(1, 0, 70))), 1e-4, 1e-6));
}

TEST_P(LinearAttentionOfEachSide, WatchedWeightsAreMeans) {
  const auto x = torch::randn({1, 6, 8});
  const nn::AttentionWatch watch({attention.get()});
  attention(x, x, x, mask_of(torch::tensor({{1, 1, 1, 1, 0, 0}})));
  const Tensor weights = watch.kept(0);
  EXPECT_TRUE(torch::allclose(weights.sum(-1), torch::ones({1, 2, 6})));
  EXPECT_TRUE(weights.narrow(3, 4, 2).eq(0).all().item<bool>());
  if (GetParam()) {
    EXPECT_TRUE(torch::equal(weights, weights.tril()));
  }
}

TEST_P(LinearAttentionOfEachSide, OnlyPaddingGivesZerosAndFiniteGradients) {
  const auto x = torch::randn({1, 4, 8}, torch::requires_grad());
  const Tensor found = attention(x, x, x, mask_of(torch::zeros({1, 4}, torch::kLong)));
  EXPECT_TRUE(torch::allclose(found[0][2], attention->linears->ptr<nn::LinearImpl>(3)->bias));
  found.square().sum().backward();
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

TEST_P(LinearAttentionOfEachSide, AutocastRoundsOnlyTheProjections) {
  const auto x = torch::randn({2, 70, 8});
  const auto mask = mask_of(torch::ones({2, 70}, torch::kLong));
  const Tensor plain = attention(x, x, x, mask);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, torch::kBFloat16);
  const Tensor rounded = attention(x, x, x, mask);
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  EXPECT_EQ(rounded.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(torch::allclose(rounded.to(torch::kFloat), plain, 0.05, 0.05));
}

INSTANTIATE_TEST_SUITE_P(Sides, LinearAttentionOfEachSide, testing::Bool(),
                         [](const auto& causal) { return causal.param ? "Causal" : "Both"; });

TEST(LinearAttention, StepsComputeTheSameWithAStateOfConstantSize) {
  auto attention = make_linear(true);
  const auto x = torch::randn({3, 130, 8});
  const Tensor whole = attention(x, x, x, nn::subsequent_mask(130));
  Tensor sums = attention->empty_sums(3);
  const auto size = sums.sizes().vec();
  for (int64_t i = 0; i < 130; ++i) {
    EXPECT_TRUE(torch::allclose(attention->step(x.narrow(1, i, 1), sums), whole.narrow(1, i, 1), 1e-4, 1e-5)) << i;
    EXPECT_EQ(sums.sizes().vec(), size);
  }
}

TEST(LinearAttention, RefusesOtherScores) {
  EXPECT_THROW(LinearAttention(MultiHeadAttentionOptions(8, 2).score(nn::AttentionScore::kCosine), false),
               std::invalid_argument);
  auto attention = make_linear(false);
  const auto x = torch::randn({1, 5, 8}), y = torch::randn({1, 5, 8});
  EXPECT_THROW(attention(x, y, y), c10::Error);
  EXPECT_THROW(attention(x, x, x, torch::ones({1, 5, 5}, torch::kBool)), c10::Error);
}

TEST(LinearAttention, PrintsThatItIsLinear) {
  std::ostringstream text;
  make_linear(false)->pretty_print(text);
  EXPECT_NE(text.str().find(" that is linear"), std::string::npos);
}

}  // namespace
}  // namespace ventris::attention
