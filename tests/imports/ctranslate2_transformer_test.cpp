#include "imports/ctranslate2_transformer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/ctranslate2_writer.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

/// A model of 4 features with a layer on each side, of which only what decides about settings is there.
class CTranslate2Sketch : public testing::Test {
 protected:
  void sides(uint32_t encoder_inner = 8, uint32_t decoder_inner = 8) {
    side("encoder", encoder_inner);
    side("decoder", decoder_inner);
  }
  void side(const std::string& name, uint32_t inner = 8) {
    const std::string layer = name + "/layer_0/";
    writer.floats(name + "/embeddings/weight", {4, 4}, std::vector<float>(16));
    writer.floats(layer + "self_attention/linear_0/weight", {12, 4}, std::vector<float>(48));
    writer.floats(layer + "ffn/linear_0/weight", {inner, 4}, std::vector<float>(size_t{4} * inner));
  }
  CTranslate2Variables variables() const { return {core::SharedBytes(writer.finish()), "model.bin"}; }
  void expect_refused(const std::string& part) const {
    EXPECT_FAILS(ctranslate2_options(variables(), std::nullopt), ModelError, part);
  }
  CTranslate2Writer writer;
};

TEST_F(CTranslate2Sketch, DefaultsAreThoseOfCTranslate2) {
  sides();
  writer.flag("encoder/num_heads", 2).flag("decoder/num_heads", 2);
  const auto options = ctranslate2_options(variables(), std::nullopt);
  EXPECT_EQ(options.norm, architecture::NormPlace::kPre);
  EXPECT_EQ(options.activation, architecture::Activation::kRelu);
  EXPECT_EQ(options.norm_kind, architecture::NormKind::kRms) << "norms have no beta";
  EXPECT_EQ(options.norm_epsilon, 1e-6);
  EXPECT_EQ(ctranslate2_options(variables(), 1e-3).norm_epsilon, 1e-3);
}

TEST_F(CTranslate2Sketch, ASideWithoutLayersIsNamed) {
  side("encoder");
  expect_refused("has no variable 'decoder/layer_0/self_attention/linear_0/weight'");
}

TEST_F(CTranslate2Sketch, HeadsMustDivideTheWidth) {
  sides();
  expect_refused("variable 'encoder/num_heads': expected a divisor of the width 4, found 8");
}

TEST_F(CTranslate2Sketch, AnUnknownActivationIsNamed) {
  sides();
  for (const char* name : {"encoder/num_heads", "decoder/num_heads"}) writer.flag(name, 2);
  for (const char* name : {"encoder/activation", "decoder/activation"}) writer.flag(name, 5);
  expect_refused("variable 'encoder/activation': expected 0 (relu) to 4 (gelu by sigmoid), found 5");
}

TEST_F(CTranslate2Sketch, WhatIsNoMatrixIsNamed) {
  writer.floats("encoder/embeddings_0/weight", {16}, std::vector<float>(16));
  sides();
  expect_refused("variable 'encoder/embeddings_0/weight': expected a matrix, found shape [16]");
}

TEST_F(CTranslate2Sketch, WhatIsThereDecidesAboutNormsGatesAndBiases) {
  sides();
  writer.flag("encoder/num_heads", 2).flag("decoder/num_heads", 2).flag("encoder/pre_norm", 0);
  writer.flag("decoder/pre_norm", 0);
  const auto plain = ctranslate2_options(variables(), std::nullopt);
  EXPECT_EQ(plain.norm, architecture::NormPlace::kPost);
  EXPECT_FALSE(plain.final_norm);
  EXPECT_FALSE(plain.gated_feed_forward);
  EXPECT_FALSE(plain.attention_bias);
  EXPECT_FALSE(plain.embedding_norm);
  const std::vector<float> four(4);
  writer.floats("encoder/layer_norm/gamma", {4}, four).floats("encoder/layer_0/ffn/layer_norm/beta", {4}, four);
  writer.floats("encoder/layer_0/ffn/linear_0_noact/weight", {8, 4}, std::vector<float>(32));
  writer.floats("decoder/layer_0/attention/linear_2/bias", {4}, four);
  writer.floats("decoder/layernorm_embedding/gamma", {4}, four);
  const auto full = ctranslate2_options(variables(), std::nullopt);
  EXPECT_TRUE(full.final_norm);
  EXPECT_EQ(full.norm_kind, architecture::NormKind::kLayer);
  EXPECT_EQ(full.norm_epsilon, 1e-5);
  EXPECT_TRUE(full.gated_feed_forward);
  EXPECT_TRUE(full.attention_bias);
  EXPECT_TRUE(full.embedding_norm);
}

TEST_F(CTranslate2Sketch, EachSideHasItsHeadsAndItsFeedForwardWidth) {
  sides(3, 8);
  writer.flag("encoder/num_heads", 2).flag("decoder/num_heads", 4);
  const auto options = ctranslate2_options(variables(), std::nullopt);
  EXPECT_EQ(options.heads, 2);
  EXPECT_EQ(options.decoder_heads, 4);
  EXPECT_EQ(options.d_ff, 3);
  EXPECT_EQ(options.decoder_d_ff, 8);
}

TEST_F(CTranslate2Sketch, ActivationsHaveTheNumbersOfCTranslate2) {
  using architecture::Activation;
  sides();
  writer.flag("encoder/num_heads", 2).flag("decoder/num_heads", 2);
  const Activation expected[] = {Activation::kRelu, Activation::kGeluTanh, Activation::kSilu, Activation::kGelu,
                                 Activation::kGeluSigmoid};
  for (int8_t number = 0; number < 5; ++number) {
    CTranslate2Writer one = writer;
    one.flag("encoder/activation", number).flag("decoder/activation", number);
    const CTranslate2Variables found{core::SharedBytes(one.finish()), "model.bin"};
    EXPECT_EQ(ctranslate2_options(found, std::nullopt).activation, expected[number]);
  }
}

}  // namespace
}  // namespace ventris::imports
