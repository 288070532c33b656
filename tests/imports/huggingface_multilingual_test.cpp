#include "imports/huggingface_multilingual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "engine/factory.h"
#include "files/files.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "translation/text_scorer.h"
#include "translation/translator.h"

namespace ventris::imports {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using Texts = std::vector<std::string>;

std::string data_of(const std::string& name) { return VENTRIS_SOURCE "/tests/imports/data/" + name; }

/// A model of make_multilingual_expected.py, and what transformers computes with it.
class MultilingualFolder : public testing::TestWithParam<std::string> {
 protected:
  MultilingualFolder()
      : imported_(from_multilingual_folder(data_of(GetParam()))),
        expected_(json::parse(files::read_file(data_of(GetParam()) + "/expected.json"))),
        scorers_(engine::make_factory(imported_.package.config, model::Safetensors::parse(imported_.weights, "weights"),
                                      {})) {}

  template <typename Options>
  Options options() const {
    Options options;
    options.source_language = expected_.at("source_language");
    options.target_language = expected_.at("target_language");
    return options;
  }

  Imported imported_;
  json expected_;
  std::shared_ptr<decoding::ScorerFactory> scorers_;
};
INSTANTIATE_TEST_SUITE_P(Models, MultilingualFolder, testing::Values("m2m", "nllb", "mbart"),
                         [](const auto& name) { return name.param; });

TEST_P(MultilingualFolder, SourcesHaveTheTokensOfTransformers) {
  const text::Tokenizer tokenizer(imported_.package.source_spm, "source");
  const translation::Languages languages(imported_.package.config.tokenizer, tokenizer, tokenizer);
  const auto marks = languages.marks(expected_.at("source_language"), expected_.at("target_language"));
  for (const json& row : expected_.at("rows")) {
    Texts found;
    for (const int32_t id : marks.before) found.push_back(tokenizer.piece(id));
    for (const int32_t id : tokenizer.encode(row.at("source").get<std::string>())) found.push_back(tokenizer.piece(id));
    found.emplace_back("</s>");
    for (const int32_t id : marks.after) found.push_back(tokenizer.piece(id));
    EXPECT_EQ(found, row.at("tokens").get<Texts>());
  }
}

TEST_P(MultilingualFolder, LogProbabilitiesAreThoseOfTransformers) {
  const translation::TextScorer scorer(imported_.package, *scorers_, options<translation::TextScorerOptions>());
  for (const json& row : expected_.at("rows")) {
    const auto found = scorer.score({{row.at("source"), row.at("target")}}).front();
    const auto log_probs = row.at("log_probs").get<std::vector<float>>();
    ASSERT_EQ(found.token_log_probs.size() + 1, log_probs.size()) << "all but the language";
    for (size_t i = 1; i < log_probs.size(); ++i) EXPECT_NEAR(found.token_log_probs[i - 1], log_probs[i], 2e-5);
  }
}

TEST_P(MultilingualFolder, GreedyAndBeamSearchWriteTheTokensOfTransformers) {
  constexpr size_t kMost = 23;  // tokens behind the language, with </s>
  for (const auto& [name, beam] : {std::pair("greedy", 1), std::pair("beam", 4)}) {
    auto options = this->options<translation::TranslatorOptions>();
    options.search.beam_size = beam;
    options.search.max_length_factor = 100;
    options.search.longest = kMost + 1;
    const translation::Translator translator(imported_.package, scorers_, options);
    for (const json& row : expected_.at("rows")) {
      Texts expected = row.at(name).get<Texts>();
      const bool cut = expected.size() >= kMost;
      if (cut && beam > 1) continue;
      Texts found = translator.translate({row.at("source").get<std::string>()}).front().candidates.front().pieces;
      if (cut) expected.resize(kMost - 1);
      if (cut) found.resize(std::min(found.size(), expected.size()));
      EXPECT_EQ(found, expected) << name << ": " << row.at("source");
    }
  }
}

TEST_P(MultilingualFolder, TheBundleCanBeWrittenAndOpened) {
  const test::TempFolder folder;
  model::write_bundle(folder.path("bundle"), imported_.package, imported_.weights);
  const model::Bundle bundle = model::open_bundle(folder.path("bundle"));
  EXPECT_EQ(bundle.package.config.tokenizer.languages, imported_.package.config.tokenizer.languages);
  EXPECT_THAT(imported_.notes, testing::Contains(HasSubstr("--source-language and --target-language say which")));
}

/// A copy of a folder that a test damages.
class DamagedMultilingualFolder : public testing::Test {
 protected:
  void copy(const std::string& name) {
    path_ = folder_.path(name);
    fs::copy(data_of(name), path_, fs::copy_options::recursive);
  }
  void set(const std::string& file, const std::string& key, const json& value) const {
    json changed = json::parse(files::read_file(path_ + "/" + file));
    changed[key] = value;
    files::write_file(path_ + "/" + file, changed.dump());
  }
  void expect_refused(const std::string& part) const {
    EXPECT_FAILS(from_multilingual_folder(path_), ModelError, part);
  }

  test::TempFolder folder_;
  std::string path_;
};

TEST_F(DamagedMultilingualFolder, WhatDoesNotFitIsNamed) {
  copy("nllb");
  set("tokenizer_config.json", "added_tokens_decoder", {{"4000", {{"content", "fra_Latn"}}}});
  expect_refused("token 'fra_Latn': expected a row from 0 to");
  set("tokenizer_config.json", "added_tokens_decoder", json::object());
  expect_refused("expected the tokens of languages under \"added_tokens_decoder\", found none");
  set("config.json", "vocab_size", 20);
  expect_refused("expected a row from 0 to 19");
  set("tokenizer_config.json", "tokenizer_class", "MBartTokenizer");
  expect_refused("tokenizer_class: expected that of an mBART-50, an NLLB or an M2M-100, found 'MBartTokenizer'");
}

TEST_F(DamagedMultilingualFolder, AnOlderNllbHasTheLanguageBehindTheSource) {
  copy("nllb");
  set("tokenizer_config.json", "legacy_behaviour", true);
  const auto languages = from_multilingual_folder(path_).package.config.tokenizer.languages;
  EXPECT_TRUE(languages.at("eng_Latn").source_prefix.empty());
  EXPECT_EQ(languages.at("eng_Latn").source_suffix, Texts{"eng_Latn"});
}

TEST_F(DamagedMultilingualFolder, TokensOfLanguagesMayBeInTokenizerJson) {
  copy("nllb");
  const json config = json::parse(files::read_file(path_ + "/tokenizer_config.json"));
  json added = json::array();
  for (const auto& [id, token] : config.at("added_tokens_decoder").items()) {
    added.push_back({{"id", std::stoi(id)}, {"content", token.at("content")}});
  }
  json without = config;
  without.erase("added_tokens_decoder");
  files::write_file(path_ + "/tokenizer_config.json", without.dump());
  files::write_file(path_ + "/tokenizer.json", json({{"added_tokens", added}}).dump());
  EXPECT_EQ(from_multilingual_folder(path_).package.config.tokenizer.languages,
            from_multilingual_folder(data_of("nllb")).package.config.tokenizer.languages);
}

}  // namespace
}  // namespace ventris::imports
