#include "preparation/starting_encoder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/files.h"
#include "preparation/finetuning.h"
#include "preparation/opened_run.h"
#include "preparation/run_tokenizers.h"
#include "run/run_folder.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/tiny_classifier.h"

namespace ventris::preparation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class StartingEncoder : public testing::Test {
 protected:
  StartingEncoder() { test::write_tiny_bert(bert); }

  json complete(json given) const {
    given["training"]["encoder_from"] = bert;
    return complete_settings(given, {run});
  }
  settings::RunConfig config(const json& given) const { return settings::RunConfig::parse(complete(given)); }
  void check(const json& model) const {
    json given = fitting;
    given["model"] = model;
    check_encoder(config(given), model::read_bundle(bert).package);
  }

  test::TempFolder folder;
  std::string run = folder.path("run"), bert = folder.path("bert");
  json fitting = {{"data", {{"max_length", 10}}}};
};

TEST_F(StartingEncoder, WhatIsNotGivenIsTakenFromTheBert) {
  const json all = complete({{"model", {{"decoder_layers", 3}, {"dropout", 0.3}}}});
  EXPECT_EQ(all.at("architecture"), "transformer");
  EXPECT_EQ(all.at("model"), (json{{"d_model", 4},
                                   {"d_ff", 8},
                                   {"heads", 2},
                                   {"encoder_layers", 1},
                                   {"decoder_layers", 3},
                                   {"dropout", 0.3},
                                   {"max_positions", 15},
                                   {"norm", "post"},
                                   {"activation", "gelu"},
                                   {"positions", "learned"},
                                   {"embedding_norm", true},
                                   {"norm_epsilon", 1e-12},
                                   {"attention_score", "scaled_dot"},
                                   {"attention_bias", true},
                                   {"self_attention", "full"},
                                   {"d_k", 0},
                                   {"d_v", 0},
                                   {"norm_kind", "layer"},
                                   {"gated_feed_forward", false},
                                   {"experts", 0},
                                   {"tying", "decoder"}}));
  EXPECT_EQ(all.at("tokenizer"), (json{{"shared", false}}));
  check(json::object());
}

TEST_F(StartingEncoder, ASettingThatDoesNotFitIsNamedWithOneThatDoes) {
  const auto refused = [&](const char* setting, const json& value, const std::string& needed) {
    EXPECT_FAILS(check({{setting, value}}), ConfigError,
                 std::string("model.") + setting + ": " + value.dump() + " is set, but an encoder that starts from " +
                     bert + " (training.encoder_from) needs " + needed + "; leave it out");
  };
  refused("d_model", 8, "4");
  refused("d_ff", 16, "8");
  refused("heads", 1, "2");
  refused("encoder_layers", 2, "1");
  refused("max_positions", 16, "15");
  refused("norm", "pre", "\"post\"");
  refused("activation", "relu", "\"gelu\"");
  refused("positions", "sinusoidal", "\"learned\"");
  refused("embedding_norm", false, "true");
  refused("norm_epsilon", 1e-5, "1e-12");
  refused("attention_score", "dot", "\"scaled_dot\"");
  refused("attention_bias", false, "true");
  refused("self_attention", "linear", "\"full\"");
  refused("d_k", 3, "0");
  refused("d_v", 3, "0");
  refused("norm_kind", "rms", "\"layer\"");
  refused("gated_feed_forward", true, "false");
  refused("experts", 4, "0");
  fitting["tokenizer"] = {{"shared", true}};
  EXPECT_FAILS(check({{"tying", "all"}}), ConfigError, "model.tying: \"all\" is set, but the source embedding comes");
  check({{"tying", "none"}, {"attention_dropout", 0.3}, {"cross_attention", "mean"}});
}

TEST_F(StartingEncoder, OnlyABertStartsAnEncoderAndOnlyThatOfATransformerOrAClassifier) {
  EXPECT_FAILS(
      complete({{"architecture", "rnn"}}), ConfigError,
      "architecture: \"rnn\" is set, but only a 'transformer' or a 'bert-classifier' can start from the BERT " + bert);
  test::write_tiny_bundle(folder.path("other"));
  bert = folder.path("other");
  EXPECT_FAILS(complete({}), ConfigError,
               "other is of the family 'transformer'; expected a bundle of the family 'bert'");
  bert = folder.path("none");
  EXPECT_FAILS(complete({}), ModelError, "none: not a folder");
}

TEST_F(StartingEncoder, AClassifierTakesTheShapeAndTheTokenizerOfTheBert) {
  const json all = complete({{"architecture", "bert-classifier"}, {"model", {{"dropout", 0.3}}}});
  EXPECT_EQ(all.at("model"), (json{{"d_model", 4},
                                   {"d_ff", 8},
                                   {"heads", 2},
                                   {"layers", 1},
                                   {"max_positions", 16},
                                   {"norm_epsilon", 1e-12},
                                   {"dropout", 0.3}}));
  EXPECT_EQ(all.at("tokenizer"), (json{{"shared", true}}));
  fitting["architecture"] = "bert-classifier";
  check(json::object());
  EXPECT_FAILS(check({{"layers", 2}}), ConfigError, "model.layers: 2 is set, but an encoder that starts from " + bert);
  test::write_tiny_classifier(folder.path("classifier"));
  bert = folder.path("classifier");  // for other labels
  check({{"labels", {"x", "y"}}});
}

TEST_F(StartingEncoder, TheSourceHasTheTokenizerOfTheBertAndTheTargetLearnsOne) {
  fitting["data"]["train"] = {folder.file("train.src", "bread\n"), folder.file("train.tgt", "brot und boote\n")};
  fitting["tokenizer"] = {{"vocab_size", 20}};
  const OpenedRun opened = open_run(config(fitting), {run});
  ASSERT_TRUE(opened.encoder);
  const Tokenizers two = prepare_tokenizers(config(fitting), opened);
  EXPECT_EQ(two.source.bytes(), test::tiny_bert_tokenizer().bytes());
  EXPECT_EQ(two.target.decode(two.target.encode("brot")), "brot");
  fitting["tokenizer"] = {{"shared", true}};
  const Tokenizers one = prepare_tokenizers(config(fitting), opened);
  EXPECT_EQ(one.target.bytes(), one.source.bytes());
}

TEST_F(StartingEncoder, AnotherSourceTokenizerIsRefused) {
  fitting["tokenizer"] = {{"source", folder.file("same.spm", test::tiny_bert_tokenizer().bytes())}};
  check(json::object());
  fitting["tokenizer"] = {{"source", folder.file("other.spm", "other")}};
  EXPECT_FAILS(check(json::object()), ConfigError, "other.spm is not the tokenizer of " + bert);
}

TEST_F(StartingEncoder, ABertInTheRunToBeReplacedIsRefused) {
  fs::create_directories(run);
  run::mark_run_folder({run});
  files::write_file(run + "/config.json", "{}");
  bert = run + "/best";
  test::write_tiny_bert(bert);
  EXPECT_FAILS(open_run(config(fitting), {run, /*overwrite=*/true}), ConfigError, "training.encoder_from: ");
}

}  // namespace
}  // namespace ventris::preparation
