#include "imports/marian_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

architecture::TransformerOptions options_with(const std::string& line) {
  const std::string key = line.substr(0, line.find(':'));
  std::string yaml = line + "\n";
  for (const char* one : {"type: transformer", "dim-emb: 8", "transformer-heads: 2", "enc-depth: 1", "dec-depth: 1"}) {
    if (!std::string(one).starts_with(key + ":")) yaml += std::string(one) + "\n";
  }
  MarianLayout layout;
  std::vector<std::string> notes;
  return marian_options(MarianSettings(yaml, "m.npz"), layout, notes);
}

TEST(MarianOptions, WhatOursIsNotIsRefusedByItsName) {
  const std::pair<const char*, const char*> cases[] = {
      {"type: amun", "setting type: expected transformer; other models of Marian cannot be imported, found 'amun'"},
      {"right-left: true", "setting right-left: expected false, found 'true'"},
      {"transformer-alibi: true", "setting transformer-alibi: expected false"},
      {"transformer-alibi-trainable: true", "setting transformer-alibi-trainable: expected false"},
      {"transformer-disable-position-embeddings: true", "setting transformer-disable-position-embeddings"},
      {"transformer-no-bias: true", "setting transformer-no-bias"},
      {"transformer-no-affine: true", "setting transformer-no-affine"},
      {"transformer-no-projection: true", "setting transformer-no-projection"},
      {"transformer-pool: true", "setting transformer-pool"},
      {"transformer-rnn-projection: true", "setting transformer-rnn-projection"},
      {"ulr: true", "setting ulr: expected false"},
      {"transformer-attention-mask: window", "setting transformer-attention-mask: expected default, found 'window'"},
      {"transformer-ffn-depth: 3", "setting transformer-ffn-depth: expected 2, found '3'"},
      {"transformer-decoder-ffn-depth: 3", "setting transformer-decoder-ffn-depth: expected 2, found '3'"},
      {"lemma-dim-emb: 8", "setting lemma-dim-emb: expected 0: a model with factors cannot be imported, found '8'"},
      {"input-types: [class, sequence]", "setting input-types: expected none: a model with several kinds of input"},
      {"transformer-new: 1", "setting transformer-new: expected no such setting: it is not known whether it changes"},
      {"transformer-preprocess: h", "setting transformer-preprocess: expected '', n or r, found 'h'"},
      {"transformer-preprocess: n", "setting transformer-postprocess: expected da, as transformer-preprocess is not"},
      {"transformer-postprocess: dah", "setting transformer-postprocess: expected dan or dar, found 'dah'"},
      {"transformer-postprocess-top: h", "setting transformer-postprocess-top: expected '', n or r, found 'h'"},
      {"transformer-postprocess-emb: h", "setting transformer-postprocess-emb: expected d, n, nd, r or rd, found 'h'"},
      {"transformer-postprocess-emb: r",
       "setting transformer-postprocess-emb: expected norms of the kind of the other places, n or r, found 'r'"},
      {"transformer-ffn-activation: mish", "setting transformer-ffn-activation: expected relu, swish or gelu"},
      {"transformer-decoder-autoreg: average-attention",
       "setting transformer-decoder-autoreg: expected self-attention"},
      {"transformer-decoder-autoreg: rnn", "setting dec-cell: expected ssru, as the decoder is recurrent, found ''"},
      {"transformer-decoder-autoreg: rnn\ndec-cell: ssru\nlayer-normalization: true", "setting layer-normalization"},
      {"transformer-tied-layers: [1, 1]", "setting transformer-tied-layers: expected a number for each of 1 decoder"},
      {"transformer-tied-layers: [2]", "setting transformer-tied-layers: expected numbers of layers, found '2'"},
      {"transformer-decoder-dim-ffn: -1", "setting transformer-decoder-dim-ffn: expected a whole number from 0"},
      {"transformer-heads: 3", "setting dim-emb: expected an even multiple of the 3 heads, found '8'"},
      {"dim-emb: 2", "setting dim-emb: expected a whole number from 4, found '2'"},
      {"enc-depth: 0", "setting enc-depth: expected a whole number from 1, found '0'"}};
  for (const auto& one : cases) EXPECT_FAILS(options_with(one.first), ModelError, one.second) << one.first;
  EXPECT_FAILS(
      options_with("transformer-preprocess: n\ntransformer-postprocess: da"), ModelError,
      "setting transformer-postprocess-top: expected a norm, n or r, as transformer-preprocess is not '', found");
}

TEST(MarianOptions, TheGeluIsThatOfTheVersion) {
  using architecture::Activation;
  const auto gelu = [](const std::string& version) {
    return options_with("transformer-ffn-activation: gelu\nversion: " + version).activation;
  };
  EXPECT_EQ(gelu("v1.12.42 b7be0e964 2025-05-24 22:34:42 -0700"), Activation::kGelu);
  EXPECT_EQ(gelu("v1.12.0 b7be0e964 2023-02-11 22:34:42 -0700"), Activation::kGeluSigmoid);
  EXPECT_EQ(gelu("v1.9.56 4dd30b5 2021-05-05 14:02:21 +0100"), Activation::kGeluSigmoid);
  EXPECT_EQ(gelu("\"\""), Activation::kGeluSigmoid);
}

TEST(MarianOptions, DefaultsAreThoseOfMarian) {
  MarianLayout layout;
  std::vector<std::string> notes;
  const auto options = marian_options(MarianSettings("type: transformer", "m.npz"), layout, notes);
  EXPECT_EQ(options.d_model, 512);
  EXPECT_EQ(options.heads, 8);
  EXPECT_EQ(options.encoder_layers, 6);
  EXPECT_EQ(options.d_ff, 2048);
  EXPECT_EQ(options.norm, architecture::NormPlace::kPost);
  EXPECT_EQ(options.norm_epsilon, 1e-6);
  EXPECT_EQ(options.activation, architecture::Activation::kSilu);
  EXPECT_EQ(options.self_attention, architecture::SelfAttention::kFull);
  EXPECT_EQ(layout.source_table(), "encoder_Wemb");
  EXPECT_EQ(layout.target_table(), "decoder_Wemb");
  EXPECT_TRUE(layout.output_bias);
  EXPECT_EQ(layout.stored_layer(4), 4);
  EXPECT_TRUE(notes.empty());
}

TEST(MarianOptions, TheLayoutSaysWhatIsSharedAndHowWideEachSideIs) {
  MarianLayout layout;
  std::vector<std::string> notes;
  const std::string yaml =
      "dec-depth: 3\ntied-embeddings-src: true\ntied-embeddings: true\noutput-omit-bias: true\n"
      "transformer-dim-ffn: 16\ntransformer-decoder-dim-ffn: 64\ntransformer-tied-layers: [1, 1, 3]";
  const auto options = marian_options(MarianSettings(yaml, "m.npz"), layout, notes);
  EXPECT_EQ(options.d_ff, 16);
  EXPECT_EQ(options.decoder_d_ff, 64);
  EXPECT_TRUE(layout.source_tied && layout.output_tied && !layout.all_tied && !layout.output_bias);
  EXPECT_EQ(layout.target_table(), "Wemb");
  EXPECT_EQ(layout.stored_layer(2), 1);
  EXPECT_EQ(layout.stored_layer(3), 3);
}

TEST(MarianOptions, PlacesOfNormsAreRead) {
  using architecture::NormKind;
  using architecture::NormPlace;
  EXPECT_TRUE(options_with("transformer-postprocess-top: n").final_norm);
  EXPECT_FALSE(options_with("transformer-postprocess: dan").final_norm);
  const auto pre = options_with(
      "transformer-preprocess: n\ntransformer-postprocess: da\ntransformer-postprocess-top: n\n"
      "transformer-postprocess-emb: nd");
  EXPECT_EQ(pre.norm, NormPlace::kPre);
  EXPECT_EQ(pre.norm_kind, NormKind::kLayer);
  EXPECT_TRUE(pre.embedding_norm);
  EXPECT_EQ(options_with("transformer-postprocess: dar").norm_kind, NormKind::kRms);
}

}  // namespace
}  // namespace ventris::imports
