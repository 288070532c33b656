#include "families/rnn_attention.h"

#include <gtest/gtest.h>

#include <sstream>

namespace ventris::families {
namespace {

using torch::Tensor;

class RnnAttentionOfEveryKind : public testing::TestWithParam<Scoring> {
 protected:
  RnnAttentionOfEveryKind() {
    torch::manual_seed(1);
    attention = RnnAttention(GetParam(), 4);
    states = torch::randn({2, 5, 8});
    query = torch::randn({2, 3, 4});
  }
  RnnAttention::Impl::Result look(const Tensor& mask) {
    return attention->forward(query, RnnAttentionImpl::source(attention->keys(states), states, mask));
  }

  RnnAttention attention{nullptr};
  Tensor states, query;
};
INSTANTIATE_TEST_SUITE_P(Kinds, RnnAttentionOfEveryKind,
                         testing::Values(Scoring::kAdditive, Scoring::kDot, Scoring::kBilinear));

TEST_P(RnnAttentionOfEveryKind, WeightsSumToOneAndMixTheStates) {
  const auto found = look({});
  EXPECT_EQ(found.weights.sizes(), (std::vector<int64_t>{2, 3, 5}));
  EXPECT_TRUE(torch::allclose(found.weights.sum(-1), torch::ones({2, 3})));
  EXPECT_TRUE(torch::allclose(found.context, torch::matmul(found.weights, states), 1e-5, 1e-6));
}

TEST_P(RnnAttentionOfEveryKind, HiddenStatesEqualThoseThatAreNotThere) {
  const auto mask = torch::tensor({{1, 1, 1, 0, 0}, {1, 1, 1, 0, 0}}).to(torch::kBool).unsqueeze(1);
  const auto hidden = look(mask);
  EXPECT_TRUE(hidden.weights.slice(2, 3).eq(0).all().item<bool>());
  states = states.slice(1, 0, 3);
  EXPECT_TRUE(torch::allclose(look({}).context, hidden.context, 1e-5, 1e-6));
}

TEST_P(RnnAttentionOfEveryKind, NowhereToLookMixesInZerosWithFiniteGradients) {
  const auto mask = torch::tensor({{1, 1, 1, 0, 0}, {0, 0, 0, 0, 0}}).to(torch::kBool).unsqueeze(1);
  states.requires_grad_();
  const auto found = look(mask);
  EXPECT_TRUE(found.context[1].eq(0).all().item<bool>());
  found.context.pow(2).sum().backward();
  EXPECT_TRUE(states.grad().isfinite().all().item<bool>());
}

TEST_P(RnnAttentionOfEveryKind, PrintsItsKind) {
  std::ostringstream text;
  text << *attention;
  EXPECT_NE(text.str().find("ventris::families::RnnAttention("), std::string::npos) << text.str();
  EXPECT_EQ(attention->heads(), 1);
}

TEST(AdditiveAttention, GradientsAreThoseOfTheFormula) {
  torch::manual_seed(2);
  RnnAttention attention(Scoring::kAdditive, 4);
  const auto states = torch::randn({2, 5, 8}), query = torch::randn({2, 3, 4}), weight = torch::randn({2, 3, 5});
  const auto gradients = [&](const auto& weights_of) {
    attention->zero_grad();
    (weights_of() * weight).sum().backward();
    std::vector<Tensor> all;
    for (const Tensor& parameter : attention->parameters()) all.push_back(parameter.grad().clone());
    return all;
  };
  const auto ours = gradients(
      [&] { return attention->forward(query, RnnAttentionImpl::source(attention->keys(states), states, {})).weights; });
  const auto plain = gradients([&] {
    const auto sum = attention->query_layer(query).unsqueeze(2) + attention->key_layer(states).unsqueeze(1);
    return attention->energy_layer(sum.tanh()).squeeze(-1).softmax(-1);
  });
  ASSERT_EQ(ours.size(), 3U);
  for (size_t i = 0; i < ours.size(); ++i) EXPECT_TRUE(torch::allclose(ours[i], plain[i], 1e-4, 1e-6)) << i;
}

}  // namespace
}  // namespace ventris::families
