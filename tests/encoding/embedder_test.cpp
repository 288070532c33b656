#include "encoding/embedder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "encoding/table_pools.h"
#include "support/errors.h"

namespace ventris::encoding {
namespace {

using testing::ElementsAre;

constexpr const char* kLine = "My sister carries bread.";

class EmbedderTest : public testing::Test {
 protected:
  Vectors of_line(const EmbedderOptions& options = {}) const {
    const Embedder made(encoders, options);
    const Input input = made.encode(kLine);
    return made.embed({&input}).at(0);
  }
  Input input() const { return Embedder(encoders, {}).encode(kLine); }

  EncoderPool encoders = test::bert_pool();
};

TEST_F(EmbedderTest, ALineIsTheMeanOfItsPiecesWithoutSpecialTokens) {
  const Input line = input();
  float ids = 0, places = 0;
  for (size_t i = 1; i + 1 < line.ids.size(); ++i) {
    ids += static_cast<float>(line.ids[i]);
    places += static_cast<float>(i);
  }
  const auto count = static_cast<float>(line.ids.size() - 2);
  EXPECT_THAT(of_line().values, ElementsAre(ids / count, places / count, -1, 1));
}

TEST_F(EmbedderTest, ALineIsTheStateOfClsOrThePoolerIfAskedFor) {
  EXPECT_THAT(of_line({.pooling = Pooling::kCls}).values, ElementsAre(2, 0, -1, 1));  // 2 = bos, which is [CLS]
  EXPECT_THAT(of_line({.pooling = Pooling::kPooler}).values,
              ElementsAre(static_cast<float>(input().ids.size()), 0, 0, 1));
}

TEST_F(EmbedderTest, ALayerIsCountedFromTheEmbeddings) {
  for (const int64_t layer : {0, 1, 2}) {
    EXPECT_EQ(of_line({.pooling = Pooling::kCls, .layer = layer}).values[2], static_cast<float>(layer));
  }
  EXPECT_FAILS(of_line({.layer = 3}), ConfigError, "--layer: the model has layers 0 to 2, got 3");
  EXPECT_FAILS(of_line({.layer = -1}), ConfigError, "--layer: the model has layers 0 to 2, got -1");
}

TEST_F(EmbedderTest, AWordIsTheMeanOfItsPieces) {
  const Input line = input();
  const Vectors words = of_line({.words = true});
  ASSERT_EQ(words.known, (std::vector<bool>(4, true)));
  for (int64_t word = 0; word < 4; ++word) {
    float ids = 0, pieces = 0;
    for (size_t i = 0; i < line.words.size(); ++i) {
      if (line.words[i] != word) continue;
      ids += static_cast<float>(line.ids[i]);
      ++pieces;
    }
    EXPECT_EQ(words.values[static_cast<size_t>(word) * 4], ids / pieces);
  }
}

TEST_F(EmbedderTest, EachLineOfABatchGetsItsOwnStates) {
  for (const bool words : {false, true}) {
    const Embedder made(encoders, {.words = words});
    const std::vector<Input> inputs{made.encode(kLine), made.encode("bread"), made.encode("The old man")};
    const auto together = made.embed(test::batch_of(inputs));
    for (size_t i = 0; i < inputs.size(); ++i) EXPECT_EQ(together[i].values, made.embed({&inputs[i]}).at(0).values);
  }
}

TEST_F(EmbedderTest, WordsThatWereCutOffHaveNoVectors) {
  const Embedder made(encoders, {.words = true});
  std::string line;
  for (int i = 0; i < 60; ++i) line += "bread ";
  const Input input = made.encode(line);
  const Vectors words = made.embed({&input}).at(0);
  EXPECT_GT(words.known.size(), 0U);
  EXPECT_LT(words.known.size(), 60U);
  EXPECT_TRUE(words.known.front());
  EXPECT_EQ(words.values.size(), words.known.size() * static_cast<size_t>(made.width()));
}

TEST_F(EmbedderTest, AModelThatTranslatesHasLayersFromOneAndNoCls) {
  const EncoderPool translating = test::translating_pool(1), recurrent = test::translating_pool(0);
  const Embedder made(translating, {.layer = 1});
  const Input input = made.encode("bread");
  EXPECT_EQ(made.embed({&input}).at(0).values[2], 1);
  EXPECT_FAILS(Embedder(translating, {.layer = 0}), ConfigError, "--layer: the model has layers 1 to 1, got 0");
  EXPECT_FAILS(Embedder(translating, {.pooling = Pooling::kCls}), ConfigError,
               "--pooling: only a BERT has [CLS] and a pooler");
  EXPECT_FAILS(Embedder(recurrent, {.layer = 1}), ConfigError, "--layer: this model has no layers to choose from");
}

TEST_F(EmbedderTest, FlagsThatContradictEachOtherAreRefused) {
  EXPECT_FAILS(of_line({.words = true, .pooling = Pooling::kCls}), ConfigError, "the vector of a word is a mean");
  EXPECT_FAILS(of_line({.pooling = Pooling::kPooler, .layer = 1}), ConfigError, "the pooler reads the last layer");
}

}  // namespace
}  // namespace ventris::encoding
