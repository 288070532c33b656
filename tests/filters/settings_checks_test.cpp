#include "filters/settings_checks.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::filters {
namespace {

using nlohmann::json;

TEST(SettingsChecks, WhatCannotBeCombinedWithSentencesIsNamed) {
  const auto parse = [](json source) {
    source["split_sentences"] = true;
    return TranslateSettings::parse(source, {});
  };
  EXPECT_TRUE(parse({{"language", "pt-BR"}, {"alignment", true}}).document.split_sentences);
  EXPECT_FAILS(parse({{"n_best", 2}}), ConfigError, "n_best: must be 1 with split_sentences");
  EXPECT_FAILS(parse({{"force_prefix", "file"}}), ConfigError, "force_prefix: cannot be combined with split_sentences");
  EXPECT_FAILS(parse({{"language", "english"}}), ConfigError, "language: expected the code of a language");
}

TEST(SettingsChecks, PhrasesComeFromJsonLinesAndTermsFromAFile) {
  const auto parse = [](const json& source) { return TranslateSettings::parse(source, {}); };
  const json jsonl = {{"constraints", true}, {"input_format", "jsonl"}};
  EXPECT_TRUE(parse(jsonl).constraints);
  EXPECT_TRUE(parse(jsonl).written.unmet);
  EXPECT_TRUE(parse({{"terms", "file"}}).written.unmet);
  EXPECT_FALSE(parse(json::object()).written.unmet);
  EXPECT_FAILS(parse({{"constraints", true}}), ConfigError,
               "constraints: are read from JSON lines; add --input-format");
  EXPECT_FAILS(parse({{"terms", "-"}}), ConfigError, "terms: cannot be standard input");
  EXPECT_FAILS(parse({{"term_use", "suggest"}}), ConfigError,
               "term_use: has an effect only with terms; give a list with --terms FILE, or leave it out");
  for (const json& other : {json{{"split_sentences", true}}, json{{"markup", "html"}}}) {
    json source = jsonl;
    source.update(other);
    EXPECT_FAILS(parse(source), ConfigError, "constraints: cannot be combined with split_sentences and markup");
  }
}

TEST(SettingsChecks, StandardInputIsTheTextOrThePrefixesNotBoth) {
  EXPECT_FAILS(TranslateSettings::parse({{"force_prefix", "-"}}, {}), ConfigError,
               "input, force_prefix: standard input can be only one of them");
  EXPECT_EQ(TranslateSettings::parse({{"force_prefix", "-"}, {"input", "in"}}, {}).force_prefix, "-");
}

TEST(SettingsChecks, ShapesOfADistributionNeedSampling) {
  EXPECT_NO_THROW(check_sampling({}));
  EXPECT_FAILS(check_sampling({.top_k = 5}), ConfigError,
               "top_k, top_p, temperature: have an effect only with sampling; add --sampling");
  EXPECT_FAILS(check_sampling({.temperature = 0.5}), ConfigError, "add --sampling");
  EXPECT_NO_THROW(check_sampling({.enabled = true, .top_p = 0.9}));
}

TEST(SettingsChecks, APartOfAFileIsOfPlainLines) {
  const auto parse = [](json source) {
    source["shard"] = "1/2";
    return TranslateSettings::parse(source, {});
  };
  EXPECT_EQ(parse({{"input", "in"}}).shard, "1/2");
  EXPECT_FAILS(parse(json::object()), ConfigError, "shard: expected an input file, because standard input cannot be");
  EXPECT_FAILS(parse({{"input", "in"}, {"force_prefix", "p"}}), ConfigError,
               "shard: cannot be combined with force_prefix");
  EXPECT_FAILS(parse({{"input", "in"}, {"context", 1}}), ConfigError, "shard: cannot be combined with context");
  EXPECT_FAILS(parse({{"input", "in"}, {"markup", "html"}}), ConfigError, "shard: cannot be combined with markup");
  EXPECT_FAILS(parse({{"input", "in"}, {"split_sentences", true}, {"sampling", true}}), ConfigError,
               "shard: cannot be combined with sampling of split sentences");
}

TEST(SettingsChecks, UnknownTokensAreReplacedOnlyIfTheyAreGenerated) {
  EXPECT_FAILS(TranslateSettings::parse({{"replace_unk", true}}, {}), ConfigError, "replace_unk: has no effect");
  EXPECT_NO_THROW(TranslateSettings::parse({{"replace_unk", true}, {"allow_unk", true}}, {}));
}

TEST(SettingsChecks, ADocumentInLinesIsNotWrittenAsOneLine) {
  EXPECT_FAILS(TranslateSettings::parse({{"markup", "docx"}, {"input_format", "jsonl"}}, {}), ConfigError,
               "markup: DOCX, ODT and EPUB are zip files, which JSON lines cannot have");
  EXPECT_FAILS(TranslateSettings::parse({{"markup", "docx"}, {"format", "jsonl"}}, {}), ConfigError,
               "format: must be text for DOCX, ODT and EPUB");
  EXPECT_FAILS(TranslateSettings::parse({{"markup", "srt"}, {"input_format", "jsonl"}, {"format", "text"}}, {}),
               ConfigError, "format: must be jsonl for documents of this markup in JSON lines");
}

}  // namespace
}  // namespace ventris::filters
