#include "imports/opennmt_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "architecture/sinusoids.h"
#include "core/error.h"
#include "imports/tensors_in_memory.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using architecture::Positions;

const OpennmtNames kOpennmtNames{.layers = {{"k", "v", "q", "o"}, "in", "out", "gate"},
                                 .encoder = "enc.",
                                 .decoder = "dec.",
                                 .source_table = "src",
                                 .target_table = "tgt",
                                 .source_positions = "src_pe",
                                 .target_positions = "tgt_pe",
                                 .encoder_norms = {"n1", "n2"},
                                 .decoder_norms = {"n1", "n2", "n3"},
                                 .feed_forward = "ff"};

class OpennmtSizes : public testing::Test {
 protected:
  OpennmtSizes() {
    options_.heads = 2;
    tensors_.add("src", {5, 4}, std::vector<float>(20));
    for (const char* name : {"enc.0.ff.in.weight", "enc.1.ff.in.weight", "dec.0.ff.in.weight"}) {
      tensors_.add(name, {3, 4}, std::vector<float>(12));
    }
  }
  const architecture::TransformerOptions& sizes(OpennmtPositions positions = OpennmtPositions::kInterleaved) {
    set_sizes(tensors_, kOpennmtNames, positions, options_);
    return options_;
  }
  TensorsInMemory tensors_;
  architecture::TransformerOptions options_;
};

TEST_F(OpennmtSizes, AreThoseOfTheTensors) {
  EXPECT_EQ(sizes().d_model, 4);
  EXPECT_EQ(options_.encoder_layers, 2);
  EXPECT_EQ(options_.decoder_layers, 1);
  EXPECT_EQ(options_.d_ff, 3);
  EXPECT_FALSE(options_.gated_feed_forward);
  EXPECT_FALSE(options_.attention_bias);
  tensors_.add("dec.0.ff.in.weight", {6, 4}, std::vector<float>(24));
  tensors_.add("dec.0.ff.gate.weight", {6, 4}, std::vector<float>(24));
  tensors_.add("enc.1.self_attn.q.bias", {4}, std::vector<float>(4));
  EXPECT_EQ(sizes().d_ff, 3);
  EXPECT_EQ(options_.decoder_d_ff, 6);
  EXPECT_TRUE(options_.gated_feed_forward);
  EXPECT_TRUE(options_.attention_bias);
}

TEST_F(OpennmtSizes, PositionsAreThoseOfOursThatComputeTheSame) {
  for (const auto& [theirs, ours] : {std::pair(OpennmtPositions::kInterleaved, Positions::kSinusoidal),
                                     std::pair(OpennmtPositions::kHalved, Positions::kLearned),
                                     std::pair(OpennmtPositions::kLearned, Positions::kLearned),
                                     std::pair(OpennmtPositions::kRotary, Positions::kRotary),
                                     std::pair(OpennmtPositions::kRotaryHalves, Positions::kRotary),
                                     std::pair(OpennmtPositions::kBuckets, Positions::kRelativeBias)}) {
    EXPECT_EQ(sizes(theirs).positions, ours);
  }
}

TEST_F(OpennmtSizes, WhatIsMissingOrTooNarrowIsNamed) {
  tensors_.add("src", {5, 2}, std::vector<float>(10));
  EXPECT_NO_THROW(sizes());
  EXPECT_FAILS(sizes(OpennmtPositions::kHalved), ModelError, "file: expected an even width of at least 4, found 2");
  tensors_.add("src", {5}, std::vector<float>(5));
  EXPECT_FAILS(sizes(), ModelError, "tensor 'src': expected a matrix, found shape [5]");
  TensorsInMemory without;
  without.add("src", {5, 4}, std::vector<float>(20));
  without.add("enc.0.ff.in.weight", {3, 4}, std::vector<float>(12));
  EXPECT_FAILS(set_sizes(without, kOpennmtNames, OpennmtPositions::kInterleaved, options_), ModelError,
               "file: has no layers dec.0 of a Transformer");
}

TEST_F(OpennmtSizes, RotatedHeadsNeedAnEvenWidth) {
  options_.heads = 4;
  sizes(OpennmtPositions::kRotary);
  const Order features = unchanged(4);
  BundleWeights weights(tensors_, options_, features);
  std::vector<std::string> notes;
  EXPECT_FAILS(take_opennmt(tensors_, kOpennmtNames, OpennmtPositions::kRotary, {}, options_, weights, notes),
               ModelError, "file: has rotary positions and 1 features in each head; expected an even number");
}

TEST(OpennmtTokens, HaveTheirUsualTextsUnlessTheSettingsSayOthers) {
  const std::vector<std::string> texts{"<s>", "<unk>", "<blank>", "</s>", "<pad>"};
  const auto tokens = [&](const std::string& settings) {
    return opennmt_tokens(texts, ConfigFile(settings, std::string("config.json")), "</s>", "vocab").tokens;
  };
  EXPECT_EQ(tokens("{}").pad, 2);
  EXPECT_EQ(tokens("{}").unk, 1);
  EXPECT_EQ(tokens("{}").eos, 3);
  EXPECT_EQ(tokens("{}").start, 3);
  EXPECT_EQ(tokens(R"({"pad_token": "<pad>", "bos_token": "<b>"})").pad, 4);
  EXPECT_EQ(tokens(R"({"pad_token": "<pad>", "bos_token": "<b>"})").bos, "<b>");
  EXPECT_FAILS(tokens(R"({"eos_token": "<end>"})"), ModelError, "vocab: has no token '<end>', the end of a sentence");
}

}  // namespace
}  // namespace ventris::imports
