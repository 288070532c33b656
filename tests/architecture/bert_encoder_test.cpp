#include "architecture/bert_encoder.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::architecture {
namespace {

using Shapes = std::map<std::string, std::vector<int64_t>>;

BertOptions small() {
  BertOptions options;
  options.vocab = 11;
  options.d_model = 4;
  options.d_ff = 6;
  options.heads = 2;
  options.layers = 2;
  options.max_positions = 9;
  return options;
}

Shapes encoder_of(const BertOptions& options) {
  Shapes shapes;
  const Architecture::TensorVisitor visit = [&](const std::string& name, const std::vector<int64_t>& shape) {
    EXPECT_TRUE(shapes.emplace(name, shape).second) << name << " twice";
  };
  BertTensorList(options, visit).encoder();
  return shapes;
}

TEST(BertTensorList, HasTheNamesAndShapesOfHuggingFace) {
  const Shapes shapes = encoder_of(small());
  EXPECT_EQ(shapes.size(), 5U + 2 * 16U + 2U);
  EXPECT_EQ(shapes.at("bert.embeddings.word_embeddings.weight"), (std::vector<int64_t>{11, 4}));
  EXPECT_EQ(shapes.at("bert.embeddings.position_embeddings.weight"), (std::vector<int64_t>{9, 4}));
  EXPECT_EQ(shapes.at("bert.embeddings.token_type_embeddings.weight"), (std::vector<int64_t>{2, 4}));
  EXPECT_EQ(shapes.at("bert.embeddings.LayerNorm.bias"), std::vector<int64_t>{4});
  EXPECT_EQ(shapes.at("bert.encoder.layer.1.attention.self.query.weight"), (std::vector<int64_t>{4, 4}));
  EXPECT_EQ(shapes.at("bert.encoder.layer.1.intermediate.dense.weight"), (std::vector<int64_t>{6, 4}));
  EXPECT_EQ(shapes.at("bert.encoder.layer.1.output.dense.weight"), (std::vector<int64_t>{4, 6}));
  EXPECT_EQ(shapes.at("bert.pooler.dense.bias"), std::vector<int64_t>{4});
  EXPECT_FALSE(shapes.contains("bert.encoder.layer.2.output.LayerNorm.weight"));
}

TEST(BertEncoder, TheWidthIsAMultipleOfTheHeads) {
  const nlohmann::json empty = nlohmann::json::object();
  const core::JsonReader reader(empty, "model");
  BertOptions options = small();
  EXPECT_NO_THROW(check_bert_heads(reader, options));
  options.heads = 3;
  EXPECT_FAILS(check_bert_heads(reader, options), ConfigError, "model.d_model: must be a multiple of heads (3), got 4");
}

}  // namespace
}  // namespace ventris::architecture
