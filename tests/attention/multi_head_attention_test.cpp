#include "attention/multi_head_attention.h"

#include <gtest/gtest.h>

#include <sstream>
#include <stdexcept>

#include "nn/masks.h"

namespace ventris::attention {
namespace {

using torch::Tensor;

MultiHeadAttention make_attention() {
  torch::manual_seed(1);
  return MultiHeadAttention(MultiHeadAttentionOptions(8, 2).dropout(0.0));
}

/// mask [1, 1, k_len]
Tensor visible_keys(std::initializer_list<int64_t> keys) {
  return torch::tensor(std::vector<int64_t>(keys)).to(torch::kBool).view({1, 1, -1});
}

TEST(MultiHeadAttention, AMaskHasThreeDimensions) {
  auto attention = make_attention();
  const auto x = torch::randn({1, 3, 8});
  const auto flat = torch::ones({3, 3}, torch::kBool);
  EXPECT_THROW(attention(x, x, x, flat), c10::Error);
  EXPECT_THROW(attention->forward_with_weights(x, x, x, flat), c10::Error);
}

TEST(MultiHeadAttention, HiddenKeysDoNotChangeTheResult) {
  auto attention = make_attention();
  const auto query = torch::randn({1, 3, 8});
  auto memory = torch::randn({1, 4, 8});
  const auto mask = visible_keys({1, 1, 1, 0});
  const auto before = attention(query, memory, memory, mask);
  memory.select(1, 3).fill_(1e3);  // only the hidden key changes
  EXPECT_TRUE(torch::equal(before, attention(query, memory, memory, mask)));
}

TEST(MultiHeadAttention, HidingKeysEqualsLeavingThemOut) {
  auto attention = make_attention();
  const auto query = torch::randn({1, 3, 8}), memory = torch::randn({1, 4, 8});
  const auto fewer = memory.index_select(1, torch::tensor({0, 2}));
  EXPECT_TRUE(
      torch::allclose(attention(query, memory, memory, visible_keys({1, 0, 1, 0})), attention(query, fewer, fewer)));
}

TEST(MultiHeadAttention, NoMaskEqualsAMaskThatHidesNothing) {
  auto attention = make_attention();
  const auto x = torch::randn({2, 4, 8});
  EXPECT_TRUE(torch::equal(attention(x, x, x), attention(x, x, x, torch::ones({2, 4, 4}, torch::kBool))));
}

TEST(MultiHeadAttention, AgreesWithTheFormulaHeadByHead) {
  auto attention = make_attention();
  const auto query = torch::randn({2, 3, 8}), key = torch::randn({2, 5, 8}), value = torch::randn({2, 5, 8});
  const auto mask =
      torch::rand({2, 3, 5}).gt(0.3).index_put_({torch::indexing::Slice(), torch::indexing::Slice(), 0}, true);
  const auto linear = [&](size_t i, const Tensor& x) { return attention->linears->ptr<nn::LinearImpl>(i)->forward(x); };
  std::vector<Tensor> heads;
  for (int64_t head = 0; head < 2; ++head) {
    const auto part = [&](size_t i, const Tensor& x) { return linear(i, x).narrow(2, head * 4, 4); };
    const auto scores = torch::bmm(part(0, query), part(1, key).transpose(1, 2)) / 2.0;  // sqrt(d_head) = 2
    const auto shown = scores.exp() * mask;
    heads.push_back(torch::bmm(shown / shown.sum(-1, true), part(2, value)));
  }
  EXPECT_TRUE(torch::allclose(attention(query, key, value, mask), linear(3, torch::cat(heads, 2)), 1e-5, 1e-6));
}

TEST(MultiHeadAttention, WeightsSumToOneOverVisibleKeys) {
  auto attention = make_attention();
  const auto query = torch::randn({2, 3, 8}), memory = torch::randn({2, 4, 8});
  const auto mask = visible_keys({1, 0, 1, 1});
  const auto [output, weights] = attention->forward_with_weights(query, memory, memory, mask);
  EXPECT_EQ(weights.sizes(), (std::vector<int64_t>{2, 2, 3, 4}));
  EXPECT_TRUE(torch::allclose(weights.sum(-1), torch::ones({2, 2, 3})));
  EXPECT_EQ(weights.select(3, 1).abs().max().item<float>(), 0);
  EXPECT_TRUE(torch::allclose(output, attention(query, memory, memory, mask), 1e-5, 1e-6));
}

TEST(MultiHeadAttention, NowhereToLookMixesInZeros) {
  auto attention = make_attention();
  const auto x = torch::randn({1, 3, 8});
  auto mask = torch::ones({1, 3, 3}, torch::kBool);
  mask[0][1].fill_(false);
  const auto [output, weights] = attention->forward_with_weights(x, x, x, mask);
  EXPECT_TRUE(torch::equal(weights.select(2, 1), torch::zeros({1, 2, 3})));
  EXPECT_TRUE(torch::equal(output[0][1], attention->linears->ptr<nn::LinearImpl>(3)->bias));
  const auto unmasked = attention(x, x, x);
  EXPECT_TRUE(torch::allclose(output[0][0], unmasked[0][0]));
  EXPECT_TRUE(torch::allclose(output[0][2], unmasked[0][2]));
}

TEST(MultiHeadAttention, NowhereToLookLeavesGradientsFinite) {
  auto attention = make_attention();
  const auto query = torch::randn({1, 3, 8}, torch::requires_grad()),
             memory = torch::randn({1, 4, 8}, torch::requires_grad());
  auto mask = torch::ones({1, 3, 4}, torch::kBool);
  mask[0][1].fill_(false);
  attention(query, memory, memory, mask).pow(2).sum().backward();
  EXPECT_EQ(query.grad()[0][1].abs().max().item<float>(), 0);
  EXPECT_TRUE(memory.grad().isfinite().all().item<bool>());
  for (const auto& item : attention->named_parameters()) {
    EXPECT_TRUE(item.value().grad().isfinite().all().item<bool>()) << item.key();
  }
}

TEST(MultiHeadAttention, MasksOfAllShapesMeanTheSame) {
  auto attention = make_attention();
  const auto x = torch::randn({2, 4, 8});
  const auto causal = nn::subsequent_mask(4);  // [1, q_len, k_len]
  EXPECT_TRUE(torch::equal(attention(x, x, x, causal), attention(x, x, x, causal.expand({2, 4, 4}))));
  const auto keys = visible_keys({1, 1, 0, 1});  // [1, 1, k_len]
  EXPECT_TRUE(torch::equal(attention(x, x, x, keys), attention(x, x, x, keys.expand({2, 4, 4}).contiguous())));
}

TEST(MultiHeadAttention, AttendingToProjectedHeadsEqualsForward) {
  auto attention = make_attention();
  const auto query = torch::randn({2, 3, 8}), memory = torch::randn({2, 5, 8});
  const auto keys = attention->project(1, memory), values = attention->project(2, memory);
  EXPECT_EQ(keys.sizes(), (std::vector<int64_t>{2, 2, 5, 4}));
  const torch::Tensor apart = attention->attend(attention->project(0, query), keys, values, {});
  EXPECT_TRUE(torch::allclose(apart, attention(query, memory, memory), 1e-5, 1e-6));
}

TEST(MultiHeadAttention, AnEmptyBatchGivesAnEmptyResult) {
  auto attention = make_attention();
  const auto query = torch::zeros({0, 3, 8}), memory = torch::zeros({0, 4, 8});
  EXPECT_EQ(attention(query, memory, memory, torch::ones({0, 1, 4}, torch::kBool)).sizes(),
            (std::vector<int64_t>{0, 3, 8}));
}

TEST(MultiHeadAttention, RefusesHeadsThatDoNotDivideTheWidth) {
  EXPECT_THROW(MultiHeadAttention(MultiHeadAttentionOptions(8, 3)), std::invalid_argument);
  EXPECT_THROW(MultiHeadAttention(MultiHeadAttentionOptions(8, 0)), std::invalid_argument);
}

TEST(MultiHeadAttention, HeadsOfGivenWidthsNeedNotDivideTheWidth) {
  auto attention = MultiHeadAttention(MultiHeadAttentionOptions(8, 3).dropout(0).d_k(2).d_v(4));
  const auto x = torch::randn({2, 5, 8});
  EXPECT_EQ(attention(x, x, x).sizes(), x.sizes());
  EXPECT_EQ(attention->project(1, x).sizes(), (std::vector<int64_t>{2, 3, 5, 2}));
  EXPECT_EQ(attention->project(2, x).sizes(), (std::vector<int64_t>{2, 3, 5, 4}));
  EXPECT_THROW(MultiHeadAttention(MultiHeadAttentionOptions(8, 3).d_k(2)), std::invalid_argument);
  EXPECT_THROW(MultiHeadAttention(MultiHeadAttentionOptions(8, 2).d_k(-1)), std::invalid_argument);
}

TEST(MultiHeadAttention, NarrowHeadsAgreeInOneStepAndWithWeights) {
  torch::manual_seed(1);
  auto attention = MultiHeadAttention(MultiHeadAttentionOptions(8, 2).dropout(0).d_k(3).d_v(3).bias(false));
  const auto x = torch::randn({2, 5, 8}), memory = torch::randn({2, 4, 8});
  for (const auto& [query, key] : {std::pair{x, x}, std::pair{x, memory}}) {
    const auto expected = attention->forward_with_weights(query, key, key).first;
    EXPECT_TRUE(torch::allclose(attention(query, key, key), expected, 1e-5, 1e-6));
  }
}

TEST(MultiHeadAttention, WithoutBiasesItHasFourParameters) {
  auto attention = MultiHeadAttention(MultiHeadAttentionOptions(8, 2).bias(false));
  EXPECT_EQ(attention->named_parameters().keys(),
            (std::vector<std::string>{"linears.0.weight", "linears.1.weight", "linears.2.weight", "linears.3.weight"}));
}

TEST(MultiHeadAttention, PrintsItsOptions) {
  std::ostringstream text, other;
  other << MultiHeadAttention(
      MultiHeadAttentionOptions(8, 2).d_k(3).d_v(5).bias(false).score(nn::AttentionScore::kGaussian));
  EXPECT_NE(other.str().find("dropout=0.1, d_k=3, d_v=5, bias=false, score=gaussian)"), std::string::npos)
      << other.str();
  text << make_attention();
  EXPECT_NE(text.str().find("ventris::attention::MultiHeadAttention(d_model=8, heads=2, dropout=0)"), std::string::npos)
      << text.str();
}

}  // namespace
}  // namespace ventris::attention
