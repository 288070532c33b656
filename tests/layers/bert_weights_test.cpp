#include "layers/bert_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "engine/random_model.h"
#include "support/errors.h"

namespace ventris::layers {
namespace {

using architecture::BertOptions;

class BertWeightsTest : public testing::Test {
 protected:
  BertWeightsTest()
      : model_(test::random_model(std::make_shared<architecture::BertArchitecture>(options), architecture::Tying::kNone,
                                  1)) {}
  std::vector<float> values(const std::string& name) const {
    const auto file = model_.file();
    const std::string_view bytes = file.at(name).bytes;
    std::vector<float> found(bytes.size() / sizeof(float));
    bytes.copy(reinterpret_cast<char*>(found.data()), bytes.size());
    return found;
  }
  static std::vector<float> row(const Matrix& matrix, int64_t i) {
    std::vector<float> found(static_cast<size_t>(matrix.k()));
    matrix.row(i, 1, found.data());
    return found;
  }

  BertOptions options{.vocab = 10, .layers = 2, .d_model = 4, .d_ff = 8, .heads = 2, .max_positions = 6};
  test::RandomModel model_;
};

TEST_F(BertWeightsTest, PositionsHaveTheVectorOfTheFirstSegment) {
  const BertWeights weights = pack_bert(options, 0, model_.file(), Precision::kF32);
  const std::vector<float> positions = values("bert.embeddings.position_embeddings.weight"),
                           segments = values("bert.embeddings.token_type_embeddings.weight");
  const auto& found = weights.encoder.source.positions;
  ASSERT_EQ(found.size(), 24);
  for (size_t i = 0; i < 24; ++i) EXPECT_EQ(found[i], positions[i] + segments[i % 4]) << i;
  EXPECT_FALSE(weights.encoder.source.scaled);
  EXPECT_EQ(weights.encoder.encoder.size(), 2U);
  EXPECT_TRUE(weights.encoder.decoder.empty());
}

TEST_F(BertWeightsTest, PredictionsShareTheVectorsOfTokensAndHaveABias) {
  const BertWeights weights = pack_bert(options, 0, model_.file(), Precision::kF32);
  const std::vector<float> tokens = values("bert.embeddings.word_embeddings.weight"),
                           bias = values("cls.predictions.bias");
  EXPECT_EQ(row(weights.predictions, 7), std::vector<float>(tokens.begin() + 28, tokens.begin() + 32));
  EXPECT_EQ(row(weights.encoder.source.tokens, 7), row(weights.predictions, 7));
  for (size_t i = 0; i < 10; ++i) EXPECT_EQ(weights.predictions.bias()[i], bias[i]);
  EXPECT_TRUE(weights.encoder.source.tokens.bias().empty());
  EXPECT_EQ(weights.classifier.n(), 0);
}

TEST_F(BertWeightsTest, ThePoolerIsExactInEveryPrecision) {
  const BertWeights weights = pack_bert(options, 0, model_.file(), Precision::kInt8);
  EXPECT_EQ(weights.pooler.precision(), Precision::kF32);
  EXPECT_EQ(weights.transform.precision(), Precision::kInt8);
  EXPECT_EQ(weights.encoder.encoder[0].output.precision(), Precision::kInt8);
}

TEST_F(BertWeightsTest, AClassifierNeedsItsOwnTensorsAndNoPredictions) {
  EXPECT_FAILS(pack_bert(options, 3, model_.file(), Precision::kF32), ModelError, "classifier.weight");
}

}  // namespace
}  // namespace ventris::layers
