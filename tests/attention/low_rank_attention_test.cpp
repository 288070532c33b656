#include "attention/low_rank_attention.h"

#include <ATen/autocast_mode.h>
#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

namespace ventris::attention {
namespace {

using torch::Tensor;

LowRankAttention make_low_rank(int64_t size, int64_t d_v = 0) {
  torch::manual_seed(1);
  return LowRankAttention(MultiHeadAttentionOptions(8, 2).dropout(0).d_v(d_v), size, 12);
}

TEST(LowRankAttention, ProjectionsThatKeepEveryPositionGiveFullAttention) {
  for (const int64_t d_v : {0, 5}) {
    auto attention = make_low_rank(12, d_v);
    {
      const torch::NoGradGuard no_grad;
      attention->key_projection.copy_(torch::eye(12));
      attention->value_projection.copy_(torch::eye(12));
    }
    const auto x = torch::randn({2, 12, 8});
    EXPECT_TRUE(torch::allclose(attention(x, x, x), attention->MultiHeadAttentionImpl::forward(x, x, x), 1e-4, 1e-5));
  }
}

TEST(LowRankAttention, PaddingChangesNothing) {
  auto attention = make_low_rank(4);
  const auto x = torch::randn({1, 7, 8});
  const auto padded = torch::cat({x, torch::full({1, 3, 8}, 7.0)}, 1);
  const auto mask = torch::arange(10).lt(7).view({1, 1, 10});
  EXPECT_TRUE(torch::allclose(attention(padded, padded, padded, mask).narrow(1, 0, 7), attention(x, x, x), 1e-4, 1e-5));
}

TEST(LowRankAttention, EveryPositionMatters) {
  auto attention = make_low_rank(2);
  auto x = torch::randn({1, 9, 8});
  const Tensor before = attention(x, x, x);
  x.select(1, 8).fill_(9);
  EXPECT_FALSE(torch::allclose(before.select(1, 0), attention(x, x, x).select(1, 0)));
}

TEST(LowRankAttention, OnlyPaddingGivesZerosAndFiniteGradients) {
  auto attention = make_low_rank(4);
  const auto x = torch::randn({1, 5, 8}, torch::requires_grad());
  const Tensor found = attention(x, x, x, torch::zeros({1, 1, 5}, torch::kBool));
  EXPECT_TRUE(torch::allclose(found[0][1], attention->linears->ptr<nn::LinearImpl>(3)->bias));
  found.square().sum().backward();
  EXPECT_TRUE(x.grad().isfinite().all().item<bool>());
}

TEST(LowRankAttention, AutocastRoundsOnlyTheProjections) {
  auto attention = make_low_rank(4);
  const auto x = torch::randn({2, 9, 8});
  const Tensor plain = attention(x, x, x);
  at::autocast::set_autocast_enabled(at::kCPU, true);
  at::autocast::set_autocast_dtype(at::kCPU, torch::kBFloat16);
  const Tensor rounded = attention(x, x, x);
  at::autocast::clear_cache();
  at::autocast::set_autocast_enabled(at::kCPU, false);
  EXPECT_TRUE(torch::allclose(rounded.to(torch::kFloat), plain, 0.05, 0.05));
}

TEST(LowRankAttention, RefusesWhatItCannotCompute) {
  EXPECT_THROW(make_low_rank(0), std::invalid_argument);
  EXPECT_THROW(make_low_rank(13), std::invalid_argument);
  auto attention = make_low_rank(4);
  const auto x = torch::randn({1, 5, 8}), y = torch::randn({1, 5, 8});
  EXPECT_THROW(attention(x, y, y), c10::Error);
  EXPECT_THROW(attention(x, x, x, torch::ones({1, 5, 5}, torch::kBool)), c10::Error);
}

TEST(LowRankAttention, PrintsItsSize) {
  std::ostringstream text;
  make_low_rank(4)->pretty_print(text);
  EXPECT_NE(text.str().find(" to 4 mixtures of the positions"), std::string::npos);
}

}  // namespace
}  // namespace ventris::attention
