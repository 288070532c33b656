#include "encoding/embedder.h"

#include <gtest/gtest.h>

#include "core/error.h"
#include "encoding/some_bert.h"
#include "support/errors.h"

namespace ventris::encoding {
namespace {

using torch::Tensor;

constexpr const char* kLine = "My sister carries bread.";

class EmbedderTest : public testing::Test {
 protected:
  Embedder embedder(const EmbedderOptions& options = {}) const { return {bundle, torch::kCPU, options}; }

  Vectors of_line(const EmbedderOptions& options = {}) const {
    const Embedder made = embedder(options);
    const Input input = made.encode(kLine);
    return made.embed({&input}).at(0);
  }

  /// What the BERT computes for the line.
  families::BertStates states() const {
    auto bert = bert_of(bundle, torch::kCPU);
    const Input input = embedder().encode(kLine);
    const Tensor ids = torch::tensor(std::vector<int64_t>(input.ids.begin(), input.ids.end())).unsqueeze(0);
    return bert->encode(ids, torch::zeros_like(ids), {});
  }

  static void expect_near(const std::vector<float>& found, const Tensor& expected) {
    const Tensor values = torch::tensor(found);
    ASSERT_EQ(values.sizes(), expected.sizes());
    EXPECT_LT((values - expected).abs().max().item<float>(), 1e-5);
  }

  model::Bundle bundle = test::some_bert();
};

TEST_F(EmbedderTest, ALineIsTheMeanOfItsPiecesTheStateOfClsOrThePooler) {
  const auto expected = states();
  const Tensor last = expected.layers.back()[0];
  expect_near(of_line().values, last.narrow(0, 1, last.size(0) - 2).mean(0));
  expect_near(of_line({.pooling = Pooling::kCls}).values, last[0]);
  expect_near(of_line({.pooling = Pooling::kPooler}).values, expected.pooled[0]);
  EXPECT_EQ(embedder().width(), 8);
}

TEST_F(EmbedderTest, ALayerIsCountedFromTheEmbeddings) {
  const auto expected = states();
  for (size_t layer = 0; layer < expected.layers.size(); ++layer) {
    expect_near(of_line({.pooling = Pooling::kCls, .layer = static_cast<int64_t>(layer)}).values,
                expected.layers[layer][0][0]);
  }
  EXPECT_FAILS(embedder({.layer = 3}), ConfigError, "--layer: the model has layers 0 to 2, got 3");
  EXPECT_FAILS(embedder({.layer = -1}), ConfigError, "--layer: the model has layers 0 to 2, got -1");
}

TEST_F(EmbedderTest, AWordIsTheMeanOfItsPieces) {
  const Tensor last = states().layers.back()[0];
  const Input input = embedder().encode(kLine);
  const Vectors words = of_line({.words = true});
  ASSERT_EQ(words.known, (std::vector<bool>(4, true)));
  for (int64_t word = 0; word < 4; ++word) {
    std::vector<Tensor> pieces;
    for (size_t i = 0; i < input.words.size(); ++i) {
      if (input.words[i] == word) pieces.push_back(last[static_cast<int64_t>(i)]);
    }
    const auto begin = words.values.begin() + word * 8;
    expect_near({begin, begin + 8}, torch::stack(pieces).mean(0));
  }
}

TEST_F(EmbedderTest, OtherLinesOfABatchChangeNothing) {
  const Embedder made = embedder();
  const std::vector<Input> inputs{made.encode(kLine), made.encode("bread")};
  const auto together = made.embed(test::batch_of(inputs));
  for (size_t i = 0; i < inputs.size(); ++i) {
    expect_near(together[i].values, torch::tensor(made.embed({&inputs[i]}).at(0).values));
  }
}

TEST_F(EmbedderTest, WordsThatWereCutOffHaveNoVectors) {
  const Embedder made = embedder({.words = true});
  std::string line;
  for (int i = 0; i < 60; ++i) line += "bread ";
  const Input input = made.encode(line);
  const Vectors words = made.embed({&input}).at(0);
  EXPECT_GT(words.known.size(), 0U);
  EXPECT_LT(words.known.size(), 60U);
  EXPECT_TRUE(words.known.front());
  EXPECT_EQ(words.values.size(), words.known.size() * static_cast<size_t>(made.width()));
}

TEST_F(EmbedderTest, AModelThatTranslatesGivesTheOutputOfItsEncoderOrALayer) {
  const model::Package package = test::tiny_package();
  bundle = {package, model::Safetensors::parse(test::tiny_weights(package.config.architecture->src_vocab()), "w")};
  EXPECT_EQ(of_line().values.size(), 4U);
  EXPECT_NE(of_line({.layer = 1}).values, of_line().values);  // the output has the final norm
  EXPECT_EQ(of_line({.words = true}).known.size(), 4U);
  EXPECT_FAILS(embedder({.layer = 0}), ConfigError, "--layer: the model has layers 1 to 1, got 0");
  EXPECT_FAILS(embedder({.pooling = Pooling::kCls}), ConfigError, "--pooling: only a BERT has [CLS] and a pooler");
}

TEST_F(EmbedderTest, FlagsThatContradictEachOtherAreRefused) {
  EXPECT_FAILS(embedder({.words = true, .pooling = Pooling::kCls}), ConfigError, "the vector of a word is a mean");
  EXPECT_FAILS(embedder({.pooling = Pooling::kPooler, .layer = 1}), ConfigError, "the pooler reads the last layer");
}

}  // namespace
}  // namespace ventris::encoding
