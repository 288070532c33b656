#include "imports/marian_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "imports/marian_options.h"
#include "support/errors.h"

namespace ventris::imports {
namespace {

using testing::ElementsAre;

std::string scalar_of(const std::string& text) {
  std::string value;
  return read_yaml_scalar(text, value) ? value : "(refused)";
}

TEST(YamlScalar, QuotesAndEscapesAreRead) {
  EXPECT_EQ(scalar_of("a:b"), "a:b");
  EXPECT_EQ(scalar_of(R"("a\"\\\t\u00e4\xe9\U0001F600\_")"), "a\"\\\t\u00e4\u00e9\U0001F600\u00a0");
  EXPECT_EQ(scalar_of("'it''s'"), "it's");
  EXPECT_EQ(scalar_of("\"\""), "");
  for (const char* wrong :
       {"\"a", "\"a\" b", "'a", "'a' b", R"("\q")", R"("\u12")", "\"\\", "[a", "&anchor", "*alias"}) {
    EXPECT_EQ(scalar_of(wrong), "(refused)") << wrong;
  }
}

TEST(MarianSettings, ScalarsAndListsAreRead) {
  const MarianSettings settings(
      "# a comment\n\ndim-emb: 32\ntop: \"\"\nnone:\ndim-vocabs:\n  - 26\n  - 27\nempty:\n  []\nflow: [1, 2]\nflag: "
      "true\n",
      "m");
  EXPECT_EQ(settings.integer("dim-emb", 0), 32);
  EXPECT_EQ(settings.integer("missing", 7), 7);
  EXPECT_EQ(settings.text("top", "x"), "");
  EXPECT_EQ(settings.text("none", "x"), "");
  EXPECT_TRUE(settings.flag("flag", false));
  EXPECT_THAT(settings.list("dim-vocabs"), ElementsAre("26", "27"));
  EXPECT_THAT(settings.list("empty"), ElementsAre());
  EXPECT_THAT(settings.list("flow"), ElementsAre("1", "2"));
}

TEST(MarianSettings, OtherYamlIsRefusedWithItsLine) {
  for (const char* wrong : {"a: 1\nb", "a: 1\n- b", "a: 1\na: 2", "a: 1\nb:2", "a: 1\nb: {c: 1}", "a: 1\nb: |",
                            "a: 1\n: 2", "a: 1\n  b: 2"}) {
    EXPECT_FAILS(
        MarianSettings(wrong, "m.npz"), ModelError,
        "m.npz: the settings (special:model.yml), line 2: expected KEY: VALUE or an item of a list, each key once")
        << wrong;
  }
  EXPECT_FAILS(MarianSettings("  - a", "m.npz"), ModelError, "line 1: expected KEY");
  EXPECT_FAILS(MarianSettings("", "m.npz"), ModelError, "m.npz: has no settings (special:model.yml)");
  EXPECT_FAILS(MarianSettings("a: \xff", "m.npz"), ModelError, "m.npz: the settings are not valid UTF-8");
}

TEST(MarianSettings, ValuesOfOtherKindsAreRefused) {
  const MarianSettings settings("a: x\nb: [1, 2]\nc: 1.5\nd: 2000000", "m.npz");
  EXPECT_FAILS(settings.integer("a", 0), ModelError, "m.npz: setting a: expected a whole number from 0, found 'x'");
  EXPECT_FAILS(settings.integer("c", 0), ModelError, "setting c: expected a whole number");
  EXPECT_FAILS(settings.integer("d", 0), ModelError, "setting d: expected a whole number");
  EXPECT_FAILS(settings.text("b", ""), ModelError, "setting b: expected one value, found '1, 2'");
  EXPECT_FAILS(settings.flag("a", false), ModelError, "setting a: expected true or false, found 'x'");
}

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
      {"transformer-decoder-dim-ffn: 20", "setting transformer-decoder-dim-ffn: expected a number near"},
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

}  // namespace
}  // namespace ventris::imports
