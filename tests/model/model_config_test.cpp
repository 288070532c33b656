#include "model/model_config.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"
#include "support/shape_of.h"

namespace ventris::model {
namespace {

using nlohmann::json;

json whole_config() {
  ModelConfig config;
  config.architecture = config.architecture->with_vocabularies(50, 50);
  return config.to_json();
}

ModelConfig parse_changed(const char* pointer, const json& value) {
  json source = whole_config();
  source[json::json_pointer(pointer)] = value;
  return ModelConfig::parse(source, "m/config.json");
}

TEST(ModelConfig, SurvivesAWriteAndARead) {
  ModelConfig config;
  config.architecture = config.architecture->with_vocabularies(60, 50);
  test::shape_of(config).tying = architecture::Tying::kDecoder;
  config.tokenizer.shared = false;
  config.tokenizer.source_eos = false;
  config.decoding = {.beam_size = 7, .length_alpha = 0.6, .max_length_factor = 2.5};
  config.provenance = R"({"updates":12})";
  const json written = config.to_json();
  EXPECT_EQ(ModelConfig::parse(written, "here").to_json(), written);
  EXPECT_EQ(written["format_version"], 1);
  EXPECT_EQ(written["model"]["src_vocab"], 60);
  EXPECT_EQ(written["provenance"]["updates"], 12);
}

TEST(ModelConfig, WhatOnlySomeFamiliesHaveIsWrittenOnlyIfItHasAnEffect) {
  ModelConfig config;
  config.architecture = config.architecture->with_vocabularies(60, 60);
  EXPECT_FALSE(config.to_json()["decoding"].contains("iterations"));
  EXPECT_FALSE(config.to_json()["decoding"].contains("length_candidates"));
  config.decoding.iterations = 4;
  config.decoding.length_candidates = 3;
  const ModelConfig read = ModelConfig::parse(config.to_json(), "here");
  EXPECT_EQ(read.decoding.iterations, 4);
  EXPECT_EQ(read.decoding.length_candidates, 3);
}

TEST(ModelConfig, TheAttentionThatHasLearntLinksIsWrittenOnlyIfThereIsOne) {
  EXPECT_FALSE(whole_config().contains("guided_attention"));
  const GuidedAttention learnt = parse_changed("/guided_attention", {{"layer", 5}, {"head", 8}}).guided_attention;
  EXPECT_EQ(learnt, (GuidedAttention{.layer = 5, .head = 8, .reading = false}));
  const json reading{{"layer", 1}, {"head", 2}, {"reading", true}};
  EXPECT_EQ(parse_changed("/guided_attention", reading).to_json()["guided_attention"], reading);
  EXPECT_FAILS(parse_changed("/guided_attention", {{"layer", 7}, {"head", 1}}), ModelError,
               "m/config.json: guided_attention.layer: ");
  EXPECT_FAILS(parse_changed("/guided_attention", {{"layer", 1}, {"head", 9}}), ModelError, "guided_attention.head: ");
}

TEST(ModelConfig, ANewerFormatIsRefusedAsSuch) {
  EXPECT_FAILS(
      parse_changed("/format_version", 2), ModelError,
      "m/config.json: format_version: expected at most 1, got 2; the model was made by a newer version of Ventris");
  EXPECT_FAILS(parse_changed("/format_version", 0), ModelError, "expected at least 1, got 0");
}

TEST(ModelConfig, SectionsThatDoNotFitTogetherAreRefused) {
  EXPECT_FAILS(parse_changed("/model/tgt_vocab", 51), ModelError, "model.tgt_vocab: expected 50 as in src_vocab");
  EXPECT_FAILS(parse_changed("/tokenizer/shared", false), ModelError,
               "model.tying: 'all' shares the embeddings of both sides");
}

TEST(ModelConfig, OtherSpecialIdsAreRefusedWithBothNamed) {
  EXPECT_FAILS(parse_changed("/tokenizer/eos", 0), ModelError,
               "m/config.json: tokenizer.eos: expected 3 as in every tokenizer of ventris-vocab, found 0");
  for (const char* id : {"/tokenizer/pad", "/tokenizer/unk", "/tokenizer/bos", "/tokenizer/eos"}) {
    EXPECT_FAILS(parse_changed(id, 7), ModelError, "found 7") << id;
  }
}

TEST(ModelConfig, WhatIsMissingUnknownOrImpossibleIsNamedWithTheFile) {
  EXPECT_FAILS(parse_changed("/architecture", "rmm"), ModelError,
               "m/config.json: architecture: expected 'bert' or 'bert-classifier' or 'rnn' or 'transformer' or "
               "'transformer-nat', got 'rmm'");
  EXPECT_FAILS(parse_changed("/model/src_vocab", 4), ModelError, "model.src_vocab: must be from 5");
  EXPECT_FAILS(parse_changed("/model/colour", 1), ModelError, "model.colour: unknown setting");
  EXPECT_FAILS(parse_changed("/colour", 1), ModelError, "colour: unknown setting");
  EXPECT_FAILS(parse_changed("/decoding/beam_size", 0), ModelError, "decoding.beam_size: must be from 1");
  EXPECT_FAILS(parse_changed("/decoding/beam_size", 257), ModelError,
               "decoding.beam_size: must be from 1 to 256, got 257");
  EXPECT_FAILS(parse_changed("/decoding/length_alpha", -1), ModelError,
               "decoding.length_alpha: must be from 0 to 10, got -1");
  EXPECT_FAILS(parse_changed("/decoding/max_length_factor", -2), ModelError,
               "max_length_factor: must be at least 0, got -2");
  EXPECT_FAILS(parse_changed("/provenance", "home"), ModelError, "provenance: expected an object");
  EXPECT_FAILS(ModelConfig::parse(json::array(), "m/config.json"), ModelError,
               "m/config.json: settings: expected an object");
  json source = whole_config();
  source["model"].erase("src_vocab");
  EXPECT_FAILS(ModelConfig::parse(source, "m/config.json"), ModelError, "model.src_vocab: missing");
}

TEST(ModelConfig, ContextIsWrittenOnlyIfItWasLearnt) {
  EXPECT_FALSE(whole_config().contains("context"));
  const nlohmann::json context{{"sentences", 2}, {"separator", "<sep>"}, {"both", true}};
  const ModelConfig learnt = parse_changed("/context", context);
  EXPECT_EQ(learnt.context, (ContextPolicy{2, true, "<sep>"}));
  EXPECT_EQ(learnt.to_json()["context"], context);
  EXPECT_FAILS(parse_changed("/context", {{"sentences", 2}}), ModelError, "context.separator: ");
  EXPECT_FAILS(parse_changed("/context", {{"sentences", -1}, {"separator", "x"}}), ModelError, "context.sentences: ");
}

}  // namespace
}  // namespace ventris::model
