#include "architecture/transformer_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ventris::architecture {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> tensors_of(const TransformerOptions& options) {
  std::vector<std::string> names;
  TransformerArchitecture(options).each_tensor(
      [&](const std::string& name, const std::vector<int64_t>& /*shape*/) { names.push_back(name); });
  return names;
}

TEST(TransformerParts, AnRmsNormHasNoBias) {
  TransformerOptions options;
  EXPECT_THAT(tensors_of(options), Contains("encoder.norm.bias"));
  options.norm_kind = NormKind::kRms;
  EXPECT_THAT(tensors_of(options), Contains("encoder.norm.weight"));
  EXPECT_THAT(tensors_of(options), Each(Not(HasSubstr("norm.bias"))));
}

TEST(TransformerParts, AGateIsAThirdMatrixOfEachFeedForwardPart) {
  TransformerOptions options;
  EXPECT_THAT(tensors_of(options), Each(Not(HasSubstr(".w_3."))));
  options.gated_feed_forward = true;
  EXPECT_THAT(tensors_of(options), Contains("encoder.layers.0.feed_forward.w_3.weight"));
  EXPECT_THAT(tensors_of(options), Contains("decoder.layers.5.feed_forward.w_3.bias"));
}

TEST(TransformerParts, ExpertsReplaceTheFeedForwardPartOfTheirLayers) {
  TransformerOptions options;
  options.experts = 2;
  options.expert_interval = 2;
  const auto tensors = tensors_of(options);
  for (const char* side : {"encoder", "decoder"}) {
    const std::string layers = side + std::string(".layers.");
    EXPECT_THAT(tensors, Contains(layers + "0.feed_forward.w_1.weight"));
    EXPECT_THAT(tensors, Not(Contains(HasSubstr(layers + "0.feed_forward.router"))));
    EXPECT_THAT(tensors, Contains(layers + "1.feed_forward.router.weight"));
    EXPECT_THAT(tensors, Contains(layers + "1.feed_forward.experts.1.w_2.bias"));
    EXPECT_THAT(tensors, Not(Contains(layers + "1.feed_forward.w_1.weight")));
  }
  EXPECT_THAT(tensors, Each(Not(HasSubstr("router.bias"))));
}

TEST(TransformerParts, OnlyLearnedPositionsAreStored) {
  TransformerOptions options;
  for (const Positions positions : {Positions::kSinusoidal, Positions::kRelative, Positions::kRotary}) {
    options.positions = positions;
    EXPECT_THAT(tensors_of(options), Each(Not(HasSubstr(".pe"))));
  }
  options.positions = Positions::kLearned;
  EXPECT_THAT(tensors_of(options), Contains("tgt_embed.1.pe"));
}

TEST(TransformerParts, EachSideHasOneTableOfBuckets) {
  TransformerOptions options;
  EXPECT_THAT(tensors_of(options), Each(Not(HasSubstr("relative_bias"))));
  options.positions = Positions::kRelativeBias;
  EXPECT_THAT(tensors_of(options), Contains("encoder.relative_bias.weight"));
  EXPECT_THAT(tensors_of(options), Contains("decoder.relative_bias.weight"));
  EXPECT_THAT(tensors_of(options), Each(Not(HasSubstr(".pe"))));
}

TEST(TransformerParts, TiedTensorsAreAmongTheTensors) {
  for (const Tying tying : {Tying::kNone, Tying::kDecoder, Tying::kAll}) {
    TransformerOptions options;
    options.tying = tying;
    for (const auto& [name, other] : tied_tensors(tying)) {
      EXPECT_THAT(tensors_of(options), Contains(name));
      EXPECT_THAT(tensors_of(options), Contains(other));
    }
  }
  EXPECT_EQ(tied_tensors(Tying::kAll).size(), 2U);
}

}  // namespace
}  // namespace ventris::architecture
