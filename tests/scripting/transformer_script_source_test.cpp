#include "scripting/transformer_script_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/script.h>

namespace ventris::scripting {
namespace {

using testing::HasSubstr;
using testing::Not;

class TransformerScriptSourceTest : public testing::Test {
 protected:
  TransformerScriptSourceTest() {
    shape.encoder_layers = 2;
    shape.decoder_layers = 3;
    shape.d_model = 12;
    shape.heads = 2;
  }

  architecture::TransformerOptions shape;
  core::SpecialIds special;
  TransformerScriptSource source() const { return {shape, special}; }
};

TEST_F(TransformerScriptSourceTest, StacksAreUnrolledOverTheirLayers) {
  EXPECT_THAT(source().encoder(), HasSubstr("getattr(self.layers, \"1\").forward(x, mask)"));
  EXPECT_THAT(source().encoder(), Not(HasSubstr("\"2\"")));
  EXPECT_THAT(source().decoder(), HasSubstr("getattr(self.layers, \"2\").forward(x, memory, src_mask, tgt_mask)"));
  EXPECT_THAT(source().decoder(), Not(HasSubstr("\"3\"")));
}

TEST_F(TransformerScriptSourceTest, PreNormStandsBeforeEachBlockAndAtTheEnd) {
  shape.norm = architecture::NormPlace::kPre;
  EXPECT_THAT(source().encoder_layer(),
              HasSubstr("    y = getattr(self.sublayer, \"0\").norm.forward(x)\n"
                        "    x = x + getattr(self.sublayer, \"0\").dropout.forward(self.self_attn"));
  for (const std::string& stack : {source().encoder(), source().decoder()}) {
    EXPECT_THAT(stack, HasSubstr("return self.norm.forward(x)"));
  }
}

TEST_F(TransformerScriptSourceTest, PostNormStandsAfterEachBlockOnly) {
  shape.norm = architecture::NormPlace::kPost;
  EXPECT_THAT(source().decoder_layer(), HasSubstr("    y = x\n    x = getattr(self.sublayer, \"2\").norm.forward(x + "
                                                  "getattr(self.sublayer, \"2\").dropout.forward(self.feed_forward"));
  for (const std::string& stack : {source().encoder(), source().decoder()})
    EXPECT_THAT(stack, Not(HasSubstr("self.norm")));
}

TEST_F(TransformerScriptSourceTest, TheActivationIsThatOfTheModel) {
  EXPECT_THAT(source().feed_forward(), HasSubstr("torch.relu(inner)"));
  shape.activation = architecture::Activation::kGelu;
  EXPECT_THAT(source().feed_forward(), HasSubstr("torch.gelu("));
  shape.activation = architecture::Activation::kSilu;
  EXPECT_THAT(source().feed_forward(), HasSubstr("dropout.forward(torch.silu(inner)))"));
  shape.gated_feed_forward = true;
  EXPECT_THAT(source().feed_forward(), HasSubstr("dropout.forward(torch.silu(inner) * self.w_3.forward(x)))"));
}

TEST_F(TransformerScriptSourceTest, OnlySelfAttentionKnowsRotaryPositions) {
  EXPECT_EQ(source().self_attention(/*causal=*/true), "");
  shape.positions = architecture::Positions::kRotary;
  EXPECT_THAT(source().self_attention(/*causal=*/true), HasSubstr("q = self.rotate(q, start)"));
  EXPECT_THAT(source().attention(), Not(HasSubstr("rotate")));
  EXPECT_THAT(source().positional_encoding(), Not(HasSubstr("self.pe")));
}

TEST_F(TransformerScriptSourceTest, OnlyLayersAndSelfAttentionGetTheTermsOfDistances) {
  shape.positions = architecture::Positions::kRelativeBias;
  for (const bool causal : {false, true}) {
    EXPECT_THAT(source().self_attention(causal), HasSubstr("mask: Tensor, bias: Tensor)"));
  }
  EXPECT_THAT(source().attention(), Not(HasSubstr("bias")));
  EXPECT_THAT(source().encoder(), HasSubstr("bias = self.relative_bias.forward(x.size(1), 0)"));
  EXPECT_THAT(source().decoder(), HasSubstr(".forward(x, memory, src_mask, tgt_mask, bias)"));
  EXPECT_THAT(source().relative_bias(/*causal=*/false), HasSubstr(" + torch.gt(apart, 0) * 16"));
  EXPECT_THAT(source().relative_bias(/*causal=*/true), Not(HasSubstr("torch.gt")));
}

TEST_F(TransformerScriptSourceTest, NumbersAreWrittenToTheLastBitAndNeverAsIntegers) {
  EXPECT_THAT(source().embeddings(), HasSubstr("* 3.4641016151377544\n"));  // square root of 12
  EXPECT_THAT(source().attention(), HasSubstr("/ 2.4494897427831779\n"));   // of 6, the width of a head
  shape.d_model = 8;
  EXPECT_THAT(source().attention(), HasSubstr("/ 2.0000000000000000\n"));
}

TEST_F(TransformerScriptSourceTest, WithoutVariantsNothingOfThemIsInTheText) {
  for (const std::string& text : {source().encoder(), source().decoder(), source().encoder_decoder(),
                                  source().attention(), source().positional_encoding()}) {
    for (const char* part : {"stack", "layers =", "self.score", "norm.forward(x +"})
      EXPECT_THAT(text, Not(HasSubstr(part)));
  }
  EXPECT_EQ(source().score(), "");
}

TEST_F(TransformerScriptSourceTest, ADecoderLayerSeesItsPartOfTheMemory) {
  shape.cross_attention = architecture::CrossAttention::kLayerwise;
  EXPECT_THAT(source().encoder(), HasSubstr("return torch.stack([y0, y1], 0)"));
  EXPECT_THAT(source().encoder_decoder(), HasSubstr("torch.cat([layers[0], layers[1], layers[1]], 2)"));
  EXPECT_THAT(source().decoder(), HasSubstr("\"2\").forward(x, memory[:, :, 24:36], src_mask"));
  shape.cross_attention = architecture::CrossAttention::kMean;
  EXPECT_THAT(source().encoder_decoder(), HasSubstr("return torch.mean(layers, [0])"));
  EXPECT_THAT(source().decoder(), HasSubstr("forward(x, memory, src_mask"));
}

TEST_F(TransformerScriptSourceTest, GreedyKnowsTheSpecialIdsOfTheTokenizer) {
  special = {11, 12, 13, 14};  // pad, unk, bos, eos
  const std::string text = source().encoder_decoder();
  for (const char* part : {"torch.ne(src, 11)", "torch.tensor([11, 12, 13]", "torch.full([src.size(0), 1], 13",
                           "torch.eq(best, 14)", "masked_fill(done, 11)"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
}

TEST_F(TransformerScriptSourceTest, NormsComputeWhatLibTorchDoes) {
  torch::manual_seed(1);
  const auto x = torch::randn({2, 12}), scale = torch::rand({12}), shift = torch::rand({12});
  torch::jit::Module norm("Tested");
  norm.register_parameter("weight", scale, /*is_buffer=*/false);
  norm.register_parameter("bias", shift, /*is_buffer=*/false);
  norm.define(source().norm());
  EXPECT_TRUE(torch::equal(norm.forward({x}).toTensor(), torch::layer_norm(x, {12}, scale, shift, 1e-5)));
  shape.norm_kind = architecture::NormKind::kRms;
  torch::jit::Module rms("TestedRms");
  rms.register_parameter("weight", scale, /*is_buffer=*/false);
  rms.define(source().norm());
  EXPECT_TRUE(torch::allclose(rms.forward({x}).toTensor(), at::rms_norm(x, {12}, scale, 1e-5), 1e-5, 1e-6));
}

}  // namespace
}  // namespace ventris::scripting
