#include "attention/relative_bias.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "attention/multi_head_attention.h"
#include "nn/masks.h"

namespace ventris::attention {
namespace {

using architecture::RelativeBuckets;
using torch::Tensor;

constexpr RelativeBuckets kBoth{8, 5, true}, kCausal{8, 5, false};

/// The table has the number of the bucket in head 0, and 100 more in head 1.
RelativeBias numbered(const RelativeBuckets& buckets) {
  RelativeBias bias(buckets, 2);
  const torch::NoGradGuard no_grad;
  bias->weight.copy_(torch::arange(8).unsqueeze(1) + torch::tensor({0, 100}));
  return bias;
}

TEST(RelativeBias, ATermIsThatOfTheBucketOfTheDistance) {
  for (const RelativeBuckets& buckets : {kBoth, kCausal}) {
    const std::vector<int64_t> of_distances = buckets.of_distances();
    auto bias = numbered(buckets);
    const Tensor found = bias(9);
    ASSERT_EQ(found.sizes(), (std::vector<int64_t>{1, 2, 9, 9}));
    for (int64_t query = 0; query < 9; ++query) {
      for (int64_t key = 0; key < 9; ++key) {
        const int64_t distance = std::clamp<int64_t>(key - query, -5, 5);
        const auto expected = static_cast<double>(of_distances[static_cast<size_t>(distance + 5)]);
        EXPECT_EQ(found[0][0][query][key].item<double>(), expected) << query << " " << key;
        EXPECT_EQ(found[0][1][query][key].item<double>(), expected + 100);
      }
    }
  }
}

TEST(RelativeBias, RowsAtAnyPositionHaveTheTermsOfASequence) {
  auto bias = numbered(kCausal);
  const Tensor all = bias(9)[0];  // [heads, 9, 9]
  const Tensor found = bias->at(torch::tensor({4, 0, 8}), 9);
  ASSERT_EQ(found.sizes(), (std::vector<int64_t>{3, 2, 1, 9}));
  EXPECT_TRUE(torch::equal(found[0].squeeze(1), all.select(1, 4)));
  EXPECT_TRUE(torch::equal(found[1].squeeze(1), all.select(1, 0)));
  EXPECT_TRUE(torch::equal(found[2].squeeze(1), all.select(1, 8)));
}

TEST(RelativeBias, TheGradientOfANumberIsTheSumOverItsPairs) {
  auto bias = numbered(kBoth);
  bias(3).sum().backward();
  const Tensor expected = torch::tensor({3.0, 2.0, 1.0, 0.0, 0.0, 2.0, 1.0, 0.0});  // distances 0, -1, -2, 1 and 2
  EXPECT_TRUE(torch::allclose(bias->weight.grad().select(1, 0), expected));
  EXPECT_TRUE(torch::allclose(bias->weight.grad().select(1, 1), expected));
}

TEST(RelativeBias, StartsOfBucketsAreABufferAndNotAParameter) {
  const RelativeBias bias(kBoth, 2);
  EXPECT_EQ(bias->named_buffers().keys(), std::vector<std::string>{"starts"});
  EXPECT_EQ(bias->named_parameters().keys(), std::vector<std::string>{"weight"});
  std::ostringstream text;
  text << bias << RelativeBias(kCausal, 1);
  EXPECT_NE(text.str().find("RelativeBias(buckets=8, max_distance=5)"), std::string::npos) << text.str();
  EXPECT_NE(text.str().find("RelativeBias(buckets=8, max_distance=5, causal)"), std::string::npos) << text.str();
}

TEST(BiasedAttention, TheBiasIsAddedToTheScores) {
  torch::manual_seed(1);
  MultiHeadAttention attention(MultiHeadAttentionOptions(8, 2).dropout(0).biased(true));
  const Tensor x = torch::randn({2, 5, 8}), bias = torch::randn({1, 2, 5, 5}), mask = nn::subsequent_mask(5);
  const Tensor query = attention->project(0, x), key = attention->project(1, x), value = attention->project(2, x);
  const Tensor scores = torch::matmul(query, key.transpose(-2, -1)) / 2 + bias;
  const Tensor weights = scores.masked_fill(mask.unsqueeze(1).logical_not(), -1e30).softmax(-1);
  const Tensor mixed = torch::matmul(weights, value).transpose(1, 2).flatten(2);
  const Tensor expected = attention->linears->ptr<nn::LinearImpl>(3)->forward(mixed);
  EXPECT_TRUE(torch::allclose(attention->attend_to_self(x, mask, bias), expected, 1e-5, 1e-6));
  EXPECT_TRUE(torch::allclose(attention->attend(query, key, value, mask, bias), expected, 1e-5, 1e-6));
  EXPECT_FALSE(torch::allclose(attention->attend_to_self(x, mask, {}), expected, 1e-3, 1e-3));
}

}  // namespace
}  // namespace ventris::attention
