#include "layers/packed_score.h"

#include <gtest/gtest.h>

#include "arithmetic/every_kernel_set.h"

namespace ventris::layers {
namespace {

using architecture::AttentionScore;
using architecture::TransformerOptions;

class PackedScoreTest : public test::EveryKernelSet {
 protected:
  Context context(const TransformerOptions& options) { return {kernels(), options, work_}; }

 private:
  Workspace work_;
};
INSTANTIATE_EVERY_KERNEL_SET(PackedScoreTest);

TEST_P(PackedScoreTest, ACosineOfZerosIsZero) {
  TransformerOptions options;
  options.attention_score = AttentionScore::kCosine;
  options.heads = 2;
  options.d_k = 3;
  const Score score{{10, 20}, {}};
  std::vector<float> x{0, 0, 0, 3, 0, 4};
  prepare_queries(context(options), score, x.data(), 6, 1);
  EXPECT_EQ(x, (std::vector<float>{0, 0, 0, 12, 0, 16}));
}

TEST_P(PackedScoreTest, KeysOfACosineHaveTheLength1) {
  TransformerOptions options;
  options.attention_score = AttentionScore::kCosine;
  options.heads = 2;
  options.d_k = 2;
  const Score score{{10, 20}, {}};
  std::vector<float> x{3, 4, 0, -5, 99, 6, 8, 0, 0, 99};  // two rows of 4, 5 apart
  prepare_keys(context(options), score, x.data(), 5, 2);
  const std::vector<float> expected{0.6F, 0.8F, 0, -1, 99, 0.6F, 0.8F, 0, 0, 99};
  for (size_t i = 0; i < x.size(); ++i) EXPECT_FLOAT_EQ(x[i], expected[i]) << i;
}

TEST_P(PackedScoreTest, OtherScoresLeaveQueriesAndKeysAsTheyAre) {
  TransformerOptions options;
  options.heads = 1;
  options.d_k = 2;
  const Score additive{{}, {1, 2}};
  std::vector<float> x{3, 4};
  prepare_queries(context(options), additive, x.data(), 2, 1);
  prepare_keys(context(options), additive, x.data(), 2, 1);
  EXPECT_EQ(x, (std::vector<float>{3, 4}));
}

TEST_P(PackedScoreTest, TheTermOfAKeyIsHalfOfItsSquaredLengthBelow0) {
  const std::vector<float> keys{1, 2, 3, 0, 99, 2, 2, 0, 4, 99};
  std::vector<float> terms(4);
  key_terms(kernels(), keys.data(), 5, 2, 2, 2, terms.data());
  EXPECT_EQ(terms, (std::vector<float>{-2.5F, -4.5F, -4, -8}));
}

TEST(PackedScore, OnlyTheGaussianScoreHasTermsOfKeys) {
  TransformerOptions options;
  for (const AttentionScore score : {AttentionScore::kScaledDot, AttentionScore::kDot, AttentionScore::kCosine,
                                     AttentionScore::kBilinear, AttentionScore::kAdditive}) {
    options.attention_score = score;
    EXPECT_FALSE(has_key_terms(options));
  }
  options.attention_score = AttentionScore::kGaussian;
  EXPECT_TRUE(has_key_terms(options));
}

}  // namespace
}  // namespace ventris::layers
