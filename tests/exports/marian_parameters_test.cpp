#include "exports/marian_parameters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/random_model.h"
#include "support/zero_start.h"

namespace ventris::exports {
namespace {

using architecture::NormKind;
using architecture::NormPlace;
using architecture::TransformerOptions;
using architecture::Tying;
using testing::ElementsAre;

TEST(MarianOrder, LeavesOutPaddingAndStartAndIsFilledUp) {
  EXPECT_THAT(marian_order(7, 1), ElementsAre(3, 1, 4, 5, 6));
  EXPECT_THAT(marian_order(7, 4), ElementsAre(3, 1, 4, 5, 6, kFillerRow, kFillerRow, kFillerRow));
}

TransformerOptions options_for_marian() {
  TransformerOptions options;
  options.src_vocab = 6;
  options.tgt_vocab = 7;
  options.encoder_layers = options.decoder_layers = 1;
  options.d_model = 2;
  options.d_ff = 3;
  options.heads = 1;
  options.max_positions = 8;
  options.tying = Tying::kNone;
  options.norm = NormPlace::kPost;
  return options;
}

/// The parameters of a random model, which stays in memory.
struct MarianModel {
  explicit MarianModel(const TransformerOptions& shape, int64_t multiple = 1)
      : options(shape),
        weights(test::random_model(options, 1).file()),
        parameters(marian_parameters(weights, options, multiple)) {}

  const MarianParameter& at(const std::string& name) const {
    const auto found = std::ranges::find(parameters, name, &MarianParameter::name);
    if (found != parameters.end()) return *found;
    ADD_FAILURE() << name;
    return parameters.front();
  }
  bool contains(const std::string& name) const {
    return std::ranges::find(parameters, name, &MarianParameter::name) != parameters.end();
  }
  /// Element `i` of a tensor of ours.
  float ours(const std::string& name, size_t i) const {
    float value = 0;
    weights.at(name).bytes.copy(reinterpret_cast<char*>(&value), sizeof value, i * sizeof value);
    return value;
  }

  TransformerOptions options;
  model::Safetensors weights;
  std::vector<MarianParameter> parameters;
};

TEST(MarianParameters, MatricesAreTurnedAndVectorsAreRows) {
  const MarianModel model(options_for_marian());
  const MarianParameter& matrix = model.at("decoder_l1_ffn_W1");
  EXPECT_THAT(matrix.shape, ElementsAre(2, 3));
  const std::string ours = "decoder.layers.0.feed_forward.w_1.weight";  // [3, 2]
  EXPECT_EQ(matrix.values[1], model.ours(ours, 2));
  EXPECT_EQ(matrix.values[3], model.ours(ours, 1));
  EXPECT_THAT(model.at("decoder_l1_ffn_b1").shape, ElementsAre(1, 3));
  EXPECT_EQ(model.at("encoder_l1_self_Wo").values[0], model.ours("encoder.layers.0.self_attn.linears.3.weight", 0));
  EXPECT_EQ(model.at("decoder_l1_context_bk").values[1], model.ours("decoder.layers.0.src_attn.linears.1.bias", 1));
}

TEST(MarianParameters, TablesHaveTheRowsOfMarianAndFillersAreNeverGenerated) {
  const MarianModel model(options_for_marian(), 4);
  const MarianParameter& source = model.at("encoder_Wemb");  // </s>, <unk>, 4, 5
  EXPECT_THAT(source.shape, ElementsAre(4, 2));
  EXPECT_EQ(source.values[0], model.ours("src_embed.0.lut.weight", 3 * size_t{2}));
  EXPECT_EQ(source.values[5], model.ours("src_embed.0.lut.weight", 4 * size_t{2} + 1));
  EXPECT_THAT(model.at("decoder_Wemb").shape, ElementsAre(8, 2)) << "5 tokens, and fillers up to a multiple of 4";
  EXPECT_EQ(model.at("decoder_Wemb").values[10], 0);
  const MarianParameter& bias = model.at("decoder_ff_logit_out_b");
  EXPECT_THAT(bias.shape, ElementsAre(1, 8));
  EXPECT_EQ(bias.values[1], model.ours("generator.proj.bias", 1));
  EXPECT_EQ(bias.values[7], -1e9F);
}

TEST(MarianParameters, TiedTablesAreThereOnce) {
  TransformerOptions options = options_for_marian();
  EXPECT_TRUE(MarianModel(options).contains("decoder_ff_logit_out_Wt"));
  options.tying = Tying::kDecoder;
  const MarianModel decoder(options);
  EXPECT_TRUE(decoder.contains("encoder_Wemb") && decoder.contains("decoder_Wemb"));
  EXPECT_FALSE(decoder.contains("decoder_ff_logit_out_Wt"));
  options.tying = Tying::kAll;
  options.src_vocab = options.tgt_vocab;
  const MarianModel all(options);
  EXPECT_TRUE(all.contains("Wemb"));
  EXPECT_FALSE(all.contains("encoder_Wemb") || all.contains("decoder_Wemb"));
}

TEST(MarianParameters, NormsAreNamedByTheirPlaceAndKind) {
  TransformerOptions options = options_for_marian();
  const MarianModel post(options);
  EXPECT_TRUE(post.contains("encoder_l1_self_Wo_ln_scale"));
  EXPECT_TRUE(post.contains("decoder_l1_context_Wo_ln_bias"));
  EXPECT_FALSE(post.contains("encoder_top_ln_scale"));
  options.norm = NormPlace::kPre;
  options.norm_kind = NormKind::kRms;
  options.embedding_norm = true;
  const MarianModel pre(options);
  EXPECT_TRUE(pre.contains("decoder_l1_ffn_ffn_rms_scale_pre"));
  EXPECT_TRUE(pre.contains("decoder_top_rms_scale"));
  EXPECT_TRUE(pre.contains("encoder_emb_rms_scale_pre"));
  EXPECT_FALSE(pre.contains("decoder_top_ln_bias"));
}

TEST(MarianParameters, AnSsruHasItsOwnInPlaceOfSelfAttention) {
  TransformerOptions options = options_for_marian();
  options.self_attention = architecture::SelfAttention::kSsru;
  const MarianModel model(options);
  EXPECT_EQ(model.at("decoder_l1_rnn_Wf").values[1], model.ours("decoder.layers.0.ssru.forget.weight", 2));
  EXPECT_TRUE(model.contains("decoder_l1_rnn_ffn_ln_scale"));
  EXPECT_FALSE(model.contains("decoder_l1_self_Wq"));
  EXPECT_TRUE(model.contains("encoder_l1_self_Wq"));
}

TEST(MarianParameters, ABiasThatAModelDoesNotHaveIsZeros) {
  TransformerOptions options = options_for_marian();
  options.attention_bias = false;
  EXPECT_THAT(MarianModel(options).at("encoder_l1_self_bq").values, ElementsAre(0, 0));
}

TEST(MarianParameters, WhetherTheStartIsZerosIsReadInTheTableOfTheTarget) {
  TransformerOptions options = options_for_marian();
  options.tying = Tying::kAll;
  options.src_vocab = options.tgt_vocab;
  const std::string weights = test::random_model(options, 1).weights;
  const auto starts = [&](float start) {
    return starts_with_zeros(model::Safetensors::parse(test::with_start(weights, start), "weights"), options);
  };
  EXPECT_TRUE(starts(0));
  EXPECT_FALSE(starts(0.5F));
}

}  // namespace
}  // namespace ventris::exports
