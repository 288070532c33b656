#include "layers/attention_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ventris::layers {
namespace {

using architecture::AttentionScore;
using architecture::TransformerOptions;

TransformerOptions two_heads(AttentionScore score) {
  TransformerOptions options;
  options.d_model = 4;
  options.heads = 2;
  options.attention_score = score;
  return options;
}

/// [2, 2, 2]: the first head exchanges its features, the second one doubles them.
std::vector<float> matrices(const std::string& name, const std::vector<int64_t>& shape) {
  EXPECT_EQ(name, "block.score.weight");
  EXPECT_EQ(shape, (std::vector<int64_t>{2, 2, 2}));
  return {0, 1, 1, 0, 2, 0, 0, 2};
}

std::vector<float> adapted(AttentionScore score, std::vector<float> x) {
  adapt_queries(two_heads(score), "block", matrices, x);
  return x;
}

TEST(AttentionWeights, QueriesGetWhatTheirScoreMultipliesThemWith) {
  const std::vector<float> bias{1, 2, 3, 4};
  const float scale = 1 / std::sqrt(2.0F);
  EXPECT_EQ(adapted(AttentionScore::kScaledDot, bias), (std::vector<float>{scale, 2 * scale, 3 * scale, 4 * scale}));
  EXPECT_EQ(adapted(AttentionScore::kDot, bias), bias);
  EXPECT_EQ(adapted(AttentionScore::kBilinear, bias), (std::vector<float>{2, 1, 6, 8}));
  EXPECT_EQ(adapted(AttentionScore::kBilinear, {1, 10, 2, 20, 3, 30, 4, 40}),  // two columns
            (std::vector<float>{2, 20, 1, 10, 6, 60, 8, 80}));
}

TEST(AttentionWeights, TheFactorOfQueriesIsThatOfTheScaledScore) {
  EXPECT_EQ(query_factor(two_heads(AttentionScore::kScaledDot)), 1 / std::sqrt(2.0F));
  EXPECT_EQ(query_factor(two_heads(AttentionScore::kDot)), 1);
}

TEST(AttentionWeights, LengthsAreAtMost100AndKeepWhatIsNoNumber) {
  std::vector<float> x{0, 50, std::numeric_limits<float>::quiet_NaN()};
  lengths_of_queries(two_heads(AttentionScore::kCosine), x);
  EXPECT_EQ(x[0], 1);
  EXPECT_FLOAT_EQ(x[1], 100);
  EXPECT_TRUE(std::isnan(x[2]));
}

TEST(AttentionWeights, SharesSumToOneAlsoOfLargeLogarithms) {
  std::vector<float> x{1000, 1000, 1000 + std::log(2.0F)};
  softmax({}, x);
  EXPECT_NEAR(x[0], 0.25, 1e-4);
  EXPECT_NEAR(x[1], 0.25, 1e-4);
  EXPECT_NEAR(x[2], 0.5, 1e-4);
}

}  // namespace
}  // namespace ventris::layers
