#include "attention/rotation.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "attention/multi_head_attention.h"
#include "nn/masks.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

/// x [len, width], one head, by the formula.
Tensor rotated_by_hand(const Tensor& x) {
  Tensor out = torch::empty_like(x);
  for (int64_t p = 0; p < x.size(0); ++p) {
    for (int64_t i = 0; i < x.size(1); i += 2) {
      const double angle =
          static_cast<double>(p) * std::pow(10000.0, -static_cast<double>(i) / static_cast<double>(x.size(1)));
      const double a = x[p][i].item<double>(), b = x[p][i + 1].item<double>();
      out[p][i] = a * std::cos(angle) - b * std::sin(angle);
      out[p][i + 1] = a * std::sin(angle) + b * std::cos(angle);
    }
  }
  return out;
}

MultiHeadAttention rotary_attention(int64_t d_v = 0) {
  torch::manual_seed(1);
  return MultiHeadAttention(MultiHeadAttentionOptions(8, 2).dropout(0).d_v(d_v).rotary_positions(16));
}

TEST(Rotate, RotatesThePairsOfEveryHeadByTheirPositions) {
  torch::manual_seed(1);
  const auto x = torch::randn({2, 7, 18});  // three heads
  const auto found = rotate(x, rotations(7, 6), 18);
  for (int64_t row = 0; row < 2; ++row) {
    for (int64_t head = 0; head < 3; ++head) {
      const auto part = [&](const Tensor& y) { return y[row].narrow(1, 6 * head, 6); };
      EXPECT_TRUE(torch::allclose(part(found), rotated_by_hand(part(x)), 1e-5, 1e-6));
    }
  }
}

TEST(Rotate, ScoresDependOnlyOnTheDistance) {
  torch::manual_seed(1);
  const auto query = torch::randn({8}), key = torch::randn({8});
  const auto turned = [](const Tensor& x) { return rotate(x.expand({1, 50, 8}), rotations(50, 8), 8)[0]; };
  const auto scores = torch::matmul(turned(query), turned(key).t());  // [50, 50]
  for (const int64_t distance : {-30, -1, 0, 1, 7, 45}) {
    const auto same = scores.diagonal(distance);
    EXPECT_TRUE(torch::allclose(same, same[0].expand_as(same), 1e-4, 1e-5)) << distance;
  }
  EXPECT_NEAR(scores[3][3].item<float>(), query.dot(key).item<float>(), 1e-4);
  EXPECT_GT((scores[3][3] - scores[3][5]).abs().item<float>(), 1e-2);
}

TEST(Rotate, LeavesTheOtherColumnsAndTheArgumentAsTheyAre) {
  torch::manual_seed(1);
  const auto x = torch::randn({2, 7, 12}), copy = x.clone();
  const auto found = rotate(x, rotations(7, 4), 8);
  EXPECT_TRUE(torch::equal(found.narrow(2, 8, 4), x.narrow(2, 8, 4)));
  EXPECT_TRUE(torch::equal(found.narrow(2, 0, 8), rotate(x.narrow(2, 0, 8), rotations(7, 4), 8)));
  EXPECT_TRUE(torch::equal(x, copy));
}

TEST(Rotate, GradientsAreRotatedBack) {
  torch::manual_seed(1);
  const auto x = torch::randn({2, 7, 12}, torch::kDouble).requires_grad_(), outer = torch::randn_like(x);
  const auto turns = rotations(7, 4);
  const auto found = torch::autograd::grad({rotate(x, turns, 8)}, {x}, {outer})[0];
  // The product of the outer gradient and a change of x is that of the found one and the change.
  const auto change = torch::randn_like(x);
  const auto with = rotate(x.detach() + change, turns, 8), without = rotate(x.detach(), turns, 8);
  EXPECT_NEAR(((with - without) * outer).sum().item<double>(), (found * change).sum().item<double>(), 1e-6);
}

TEST(Rotate, InBf16OnlyTheResultIsRounded) {
  torch::manual_seed(1);
  const auto x = torch::randn({2, 7, 12}).to(torch::kBFloat16);
  const auto found = rotate(x, rotations(7, 4), 8);
  EXPECT_EQ(found.scalar_type(), torch::kBFloat16);
  EXPECT_TRUE(torch::equal(found, rotate(x.to(torch::kFloat), rotations(7, 4), 8).to(torch::kBFloat16)));
}

TEST(RotaryAttention, QueriesAndKeysAreRotatedButNotValues) {
  auto attention = rotary_attention();
  const auto x = torch::randn({2, 5, 8}), turns = rotations(16, 4).narrow(0, 0, 5);
  for (size_t which = 0; which < 3; ++which) {
    const auto plain = attention->linears->ptr<nn::LinearImpl>(which)->forward(x);
    const auto expected = which == 2 ? plain : rotate(plain, turns, 8);
    EXPECT_TRUE(torch::allclose(attention->project(which, x), attention->split_heads(expected))) << which;
  }
}

TEST(RotaryAttention, IsTheSameInOneStepAndWithWeights) {
  const auto x = torch::randn({2, 5, 8}), y = torch::randn({2, 4, 8}), z = torch::randn({2, 4, 8});
  for (const int64_t d_v : {0, 6}) {
    auto attention = rotary_attention(d_v);
    for (const auto& [query, key, value] : {std::tuple{x, x, x}, std::tuple{x, y, y}, std::tuple{x, y, z}}) {
      const auto expected = attention->forward_with_weights(query, key, value).first;
      EXPECT_TRUE(torch::allclose(attention(query, key, value), expected, 1e-5, 1e-6));
    }
    const auto mask = nn::subsequent_mask(5);
    EXPECT_TRUE(
        torch::allclose(attention(x, x, x, mask), attention->forward_with_weights(x, x, x, mask).first, 1e-5, 1e-6));
  }
}

TEST(RotaryAttention, GradientsAreTheSameInOneStepAndWithWeights) {
  auto attention = rotary_attention();
  const auto x = torch::randn({2, 5, 8}).requires_grad_(), outer = torch::randn({2, 5, 8});
  std::vector<Tensor> inputs = attention->parameters();
  inputs.push_back(x);
  const auto found = torch::autograd::grad({attention(x, x, x)}, inputs, {outer});
  const auto expected = torch::autograd::grad({attention->forward_with_weights(x, x, x).first}, inputs, {outer});
  for (size_t i = 0; i < inputs.size(); ++i) {
    EXPECT_TRUE(torch::allclose(found[i], expected[i], 1e-4, 1e-5)) << i;
  }
}

TEST(RotaryAttention, TheOrderOfTokensMatters) {
  auto attention = rotary_attention();
  const auto x = torch::randn({1, 5, 8}), order = torch::tensor({0, 2, 1, 3, 4});
  const auto before = attention(x, x, x), other = x.index_select(1, order);
  EXPECT_FALSE(torch::allclose(attention(other, other, other), before.index_select(1, order), 1e-3, 1e-4));
}

TEST(RotaryAttention, ProjectsOneRowAtAPositionAsInASequence) {
  auto attention = rotary_attention();
  const auto x = torch::randn({1, 5, 8}), places = torch::tensor({4, 0, 2});
  for (size_t which = 0; which < 3; ++which) {
    const auto all = attention->project(which, x).transpose(1, 2).flatten(2)[0];  // [5, 8]
    const auto some = attention->project_at(which, x[0].index_select(0, places), places);
    EXPECT_TRUE(torch::allclose(some, all.index_select(0, places), 1e-5, 1e-6)) << which;
  }
}

TEST(RotaryAttention, TheTableIsABufferAndNotAParameter) {
  auto attention = rotary_attention();
  EXPECT_EQ(attention->named_buffers().keys(), std::vector<std::string>{"rotation"});
  EXPECT_EQ(attention->rotation.sizes(), (std::vector<int64_t>{16, 2, 2}));
  EXPECT_EQ(attention->parameters().size(), 8U);
  std::ostringstream text;
  text << attention;
  EXPECT_NE(text.str().find("rotary_positions=16)"), std::string::npos) << text.str();
}

TEST(RotaryAttention, RefusesOddWidthsAndOtherScores) {
  EXPECT_THROW(MultiHeadAttention(MultiHeadAttentionOptions(6, 2).rotary_positions(4)), std::invalid_argument);
  EXPECT_THROW(MultiHeadAttention(MultiHeadAttentionOptions(8, 2).score(nn::AttentionScore::kDot).rotary_positions(4)),
               std::invalid_argument);
}

}  // namespace
}  // namespace ventris::attention
