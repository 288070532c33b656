#include "preparation/finetuning.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "engine/factory.h"
#include "support/errors.h"
#include "support/other_architecture.h"
#include "support/temp_folder.h"
#include "support/tiny_bert.h"

namespace ventris::preparation {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class Finetuning : public testing::Test {
 protected:
  Finetuning() {
    package.config.provenance = R"({"settings":{"tokenizer":{"vocab_size":77,"source":"old.spm","unheard_of":1}}})";
    write();
  }

  void write() const {
    model::write_bundle(bundle, package, test::tiny_weights(package.config.architecture->src_vocab()));
  }
  json complete(json given, bool overwrite = false) const {
    given["training"]["finetune_from"] = bundle;
    return complete_settings(given, {run, overwrite});
  }
  void check(const json& given) const {
    check_base(settings::RunConfig::parse(complete(given)), open_base(bundle).package);
  }

  test::TempFolder folder;
  std::string run = folder.path("run"), bundle = folder.path("bundle");
  model::Package package = test::tiny_package();
  // The tiny model has room for 16 positions only.
  json fitting = {{"data", {{"max_length", 10}}}};
};

TEST_F(Finetuning, WithoutABundleNothingIsAdded) {
  EXPECT_EQ(complete_settings(fitting, {run}), fitting);
  const json none = {{"training", {{"finetune_from", ""}}}};
  EXPECT_EQ(complete_settings(none, {run}), none);
}

TEST_F(Finetuning, ShapeAndTokenizerAreTheBundlesUnlessTheyAreGiven) {
  const json all = complete({{"model", {{"dropout", 0.3}}}, {"tokenizer", {{"kind", "bpe"}}}});
  EXPECT_EQ(all.at("model").at("d_ff"), 8);
  EXPECT_EQ(all.at("model").at("dropout"), 0.3);
  EXPECT_EQ(all.at("tokenizer"), (json{{"kind", "bpe"}, {"shared", true}, {"vocab_size", 77}}));
}

TEST_F(Finetuning, LanguagesAreTheBundles) {
  package.config.tokenizer.languages = {{"de", {.to_prefix = {"a"}}}};
  write();
  EXPECT_EQ(complete(fitting).at("tokenizer").at("languages"), (json{{"de", {{"to_prefix", {"a"}}}}}));
  EXPECT_EQ(settings::RunConfig::parse(complete(fitting)).tokenizer.languages, package.config.tokenizer.languages);
  package.config.tokenizer.languages["de"].target_prefix = {"b"};
  write();
  json named = fitting;
  named["data"] = {{"source_language", "de"}, {"target_language", "de"}, {"max_length", 8}};
  EXPECT_EQ(settings::RunConfig::parse(complete(named)).tokenizer.languages, package.config.tokenizer.languages);
  named["data"]["target_language"] = "fr";
  EXPECT_FAILS(settings::RunConfig::parse(complete(named)), ConfigError,
               "data.target_language: expected a language of the model, de, found 'fr'");
}

TEST_F(Finetuning, ARunThatGoesOnNeedsTheBundleNoMore) {
  fs::create_directories(run + "/checkpoints/step-00000001");
  folder.file("run/config.json",
              R"({"model": {"d_ff": 12}, "tokenizer": {"vocab_size": 5}, "data": {"max_length": 3}})");
  EXPECT_EQ(complete({}, /*overwrite=*/true).at("model").at("d_ff"), 8);
  fs::remove_all(bundle);
  const json all = complete({});
  EXPECT_EQ(all.at("model"), (json{{"d_ff", 12}}));
  EXPECT_FALSE(all.contains("data"));
  EXPECT_FAILS(complete({}, /*overwrite=*/true), ModelError, "bundle: does not exist");
}

TEST_F(Finetuning, AModelOfAnotherFamilyIsRefused) {
  settings::RunConfig config = settings::RunConfig::parse(complete(fitting));
  config.model = std::make_shared<test::OtherArchitecture>(test::shape_of(package.config));
  EXPECT_FAILS(check_base(config, package), ConfigError,
               "architecture: \"other\" is set, but , which the run starts from (training.finetune_from), has "
               "\"transformer\"; leave it out");
}

TEST_F(Finetuning, ABertIsRefusedIfOnlyItsEncoderIsNeeded) {
  test::write_tiny_bert(bundle);
  for (const std::string family : {"transformer", "bert-classifier"}) {
    EXPECT_FAILS(complete({{"architecture", family}}), ConfigError,
                 "training.finetune_from: " + bundle + " is a 'bert', but a '" + family +
                     "' is to be trained; start its encoder from this BERT with training.encoder_from");
  }
  EXPECT_EQ(complete({{"architecture", "bert"}}).at("model").at("layers"), 1);
  for (const json& unknown : {json("rmm"), json(3)}) {  // RunConfig refuses them
    EXPECT_EQ(complete({{"architecture", unknown}}).at("architecture"), unknown);
  }
}

TEST_F(Finetuning, AMissingOrDamagedBundleIsRefused) {
  fs::resize_file(bundle + "/model.safetensors", 100);
  EXPECT_FAILS(complete({}), ModelError, "bundle/model.safetensors: damaged");
  fs::remove_all(bundle);
  EXPECT_FAILS(complete({}), ModelError, "bundle: does not exist; expected a bundle folder or a TorchScript file");
}

TEST_F(Finetuning, APackedModelIsABundleUnlessItsWeightsWereRounded) {
  const model::Bundle original = model::read_bundle(bundle);
  const auto pack = [&](engine::Precision precision) {
    model::write_packed(bundle, original.package, engine::pack_bundle(original, precision));
  };
  pack(engine::Precision::kF32);
  check(fitting);
  const model::Bundle base = open_base(bundle);
  EXPECT_EQ(base.package.source_spm, original.package.source_spm);
  EXPECT_EQ(base.weights.aliases(), original.weights.aliases());
  EXPECT_EQ(base.weights.at("encoder.norm.bias").bytes, original.weights.at("encoder.norm.bias").bytes);
  pack(engine::Precision::kInt8);
  EXPECT_FAILS(open_base(bundle), ModelError,
               "bundle/model.packed: precision: only models with 'f32' can be turned back");
}

TEST_F(Finetuning, AnotherShapeIsRefusedAndAnotherDropoutIsNot) {
  check(fitting);
  fitting["model"] = {{"dropout", 0.4}, {"attention_dropout", 0.2}};
  check(fitting);
  fitting["model"]["d_ff"] = 32;
  EXPECT_FAILS(check(fitting), ConfigError, "model.d_ff: 32 is set, but " + bundle);
  EXPECT_FAILS(check(fitting), ConfigError, "has 8; leave it out");
}

TEST_F(Finetuning, FewerLayersAreNoOtherShapeAndMoreAre) {
  test::shape_of(package.config).decoder_layers = 2;
  model::write_bundle(bundle, package, test::weights_of(*package.config.architecture));
  fitting["model"] = {{"decoder_layers", 1}};
  check(fitting);
  fitting["model"] = {{"decoder_layers", 3}};
  EXPECT_FAILS(check(fitting), ConfigError, "model.decoder_layers: 3 is set, but " + bundle);
  EXPECT_FAILS(check(fitting), ConfigError, "has 2; leave it out, or set fewer");
}

TEST_F(Finetuning, AnotherSamplingOfSubwordsIsNotAnotherTokenizer) {
  fitting["tokenizer"] = {{"sampling_alpha", 0.3}, {"sample", "source"}};
  check(fitting);
}

TEST_F(Finetuning, AnotherTokenizerIsRefused) {
  fitting["tokenizer"] = {{"vocab_size", 78}};
  EXPECT_FAILS(check(fitting), ConfigError, "tokenizer.vocab_size: 78 is set, but ");
  test::shape_of(package.config).tying = architecture::Tying::kDecoder;
  write();
  fitting["tokenizer"] = {{"shared", false}};
  EXPECT_FAILS(check(fitting), ConfigError, "tokenizer.shared: false is set, but ");
  fitting["tokenizer"] = {{"source", folder.file("same.spm", package.source_spm)}};
  check(fitting);
  const std::string other = folder.file("other.spm", package.source_spm + "x");
  fitting["tokenizer"] = {{"source", other}};
  EXPECT_FAILS(check(fitting), ConfigError, "tokenizer.source: " + other + " is not the tokenizer of " + bundle);
}

TEST_F(Finetuning, ABundleThatDoesNotKnowHowItsTokenizerWasLearntTakesAnySettingOfThat) {
  package.config.provenance = "{}";
  write();
  fitting["tokenizer"] = {{"vocab_size", 78}};
  check(fitting);
}

TEST_F(Finetuning, TellsWhatTheNewModelWillNotHaveLearnt) {
  EXPECT_TRUE(lost_with(settings::RunConfig(), package).empty());
  package.path = "base";
  package.config.context = {.sentences = 2, .separator = "<sep>"};
  package.config.guided_attention.layer = 1;
  EXPECT_EQ(lost_with(settings::RunConfig(), package),
            (std::vector<std::string>{
                "data.context: base, which the run starts from (training.finetune_from), reads up to 2 sentences "
                "before each sentence, but the new model will not; set data.context.sentences to keep that",
                "training.guided_alignment: base, which the run starts from (training.finetune_from), has an attention "
                "head that learnt links, which the new model will not use; set training.guided_alignment to keep it"}));
  settings::RunConfig config;
  config.data.context.sentences = 1;
  config.training.guided_alignment.links = settings::kLearntLinks;
  EXPECT_TRUE(lost_with(config, package).empty());
}

}  // namespace
}  // namespace ventris::preparation
