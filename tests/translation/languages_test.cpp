#include "translation/languages.h"

#include <gtest/gtest.h>

#include "support/copy_model.h"
#include "support/errors.h"
#include "translation/text_scorer.h"
#include "translation/translator.h"

namespace ventris::translation {
namespace {

using Ids = std::vector<int32_t>;

/// Some pieces of the tokenizer, as marks.
struct Marks {
  Marks() {
    for (int32_t id = tokenizer.size() - 4; id < tokenizer.size(); ++id) {
      ids.push_back(id);
      pieces.push_back(tokenizer.piece(id));
    }
  }
  model::Package package = test::copying_package();
  text::Tokenizer tokenizer{package.source_spm, "tiny"};
  Ids ids;
  std::vector<std::string> pieces;
};

Languages languages_of(const Marks& marks, const model::LanguageMap& languages) {
  model::TokenizerPolicy policy;
  policy.languages = languages;
  return {policy, marks.tokenizer, marks.tokenizer};
}

TEST(Languages, MarksOfBothSidesAreAroundTheSource) {
  const Marks marks;
  const auto& p = marks.pieces;
  const Languages languages = languages_of(marks, {{"de", {.source_prefix = {p[0]}, .source_suffix = {p[1]}}},
                                                   {"fr", {.to_prefix = {p[2]}, .target_prefix = {p[3]}}}});
  const LanguageMarks found = languages.marks("de", "fr");
  EXPECT_EQ(found.before, (Ids{marks.ids[2], marks.ids[0]}));
  EXPECT_EQ(found.after, Ids{marks.ids[1]});
  EXPECT_EQ(found.target, Ids{marks.ids[3]});
  EXPECT_EQ(found.of_source(), 3);
  EXPECT_EQ(languages.most_of_source(), 3);
  EXPECT_EQ(languages.most_of_target(), 1);
  EXPECT_TRUE(languages.start_translations());
  EXPECT_EQ(languages.marks("", "").before, found.before) << "the only language of each side need not be named";
}

TEST(Languages, WhatIsMissingOrUnknownIsRefusedWithAList) {
  const Marks marks;
  const auto& p = marks.pieces;
  const Languages languages = languages_of(
      marks, {{"de", {.to_prefix = {p[0]}}}, {"en", {.to_prefix = {p[1]}}}, {"fr", {.to_prefix = {p[2]}}}});
  EXPECT_FAILS(languages.marks("", ""), UntoldLanguage, "target_language: this model must be told one of de, en, fr");
  EXPECT_FAILS(languages.marks("", "xx"), ConfigError,
               "target_language: expected a language of this model, de, en, fr, found 'xx'");
  EXPECT_FAILS(languages.marks("de", "en"), ConfigError,
               "source_language: this model is not told a language, found 'de'; leave it out");
  EXPECT_FAILS(Languages().marks("", "de"), ConfigError, "target_language: this model is not told a language");
  EXPECT_FALSE(languages.start_translations());
  EXPECT_FAILS(languages_of(marks, {{"de", {.to_prefix = {"no such piece"}}}}), ModelError,
               "tokenizer.languages.de: the tokenizer of the source has no piece 'no such piece'");
}

TEST(Languages, APieceThatIsNoTokenOfALanguageIsRefused) {
  const Marks marks;
  const auto refuse = [&](const model::LanguageTokens& tokens, const std::string& part) {
    EXPECT_FAILS(languages_of(marks, {{"de", tokens}}), ModelError, "tokenizer.languages.de." + part);
  };
  refuse({.target_prefix = {"</s>"}}, "target_prefix: the piece '</s>' cannot be told there; expected a token");
  refuse({.target_prefix = {"<s>"}}, "target_prefix: the piece '<s>'");
  refuse({.to_prefix = {"<pad>"}}, "to_prefix: the piece '<pad>'");
  refuse({.source_prefix = {"<pad>"}}, "source_prefix: the piece '<pad>'");
  refuse({.source_suffix = {"<pad>"}}, "source_suffix: the piece '<pad>'");
  EXPECT_NO_THROW(languages_of(marks, {{"de", {.source_prefix = {"<s>"}, .source_suffix = {"</s>"}}}}));
}

TEST(CheckRoom, MarksLeaveRoomForATokenAndEos) {
  EXPECT_NO_THROW(check_room(3, 6, 8, "m"));
  EXPECT_FAILS(check_room(3, 7, 8, "m"), ModelError,
               "m: tokenizer.languages: the tokens of languages, one of a text and eos are 9 tokens, but the longest "
               "sentence of this model has 8");
}

/// A model that copies, and is told that it translates into x or y.
struct Told : Marks {
  Told() {
    package.config.tokenizer.languages = {{"x", {.to_prefix = {pieces[0]}, .target_prefix = {pieces[1]}}},
                                          {"y", {.to_prefix = {pieces[2]}, .target_prefix = {pieces[3]}}}};
  }
  Translator translator(TranslatorOptions options = {}) const {
    options.target_language = "x";
    return {package, test::copy_factory(package), options};
  }
};

std::vector<Translation> translated(const Translator& translator, const std::vector<Request>& requests) {
  std::vector<Translation> all;
  size_t next = 0;
  const auto source = [&](Request& request) {
    if (next < requests.size()) request = requests[next];
    return next++ < requests.size();
  };
  translator.run(source, [] { return true; }, [&](const Translation& one) { all.push_back(one); });
  return all;
}

TEST(TranslatorOfLanguages, MarksAreNeitherInTheTextNorInItsTokensNorInItsLinks) {
  const Told told;
  TranslatorOptions plain, linked;
  linked.finish.alignment = true;
  const Translator without(test::copying_package(), test::copy_factory(test::copying_package()), linked);
  for (const TranslatorOptions& options : {plain, linked}) {
    const auto found = translated(told.translator(options), {{"My sister sees bread.", ""}, {"", ""}, {"Nobody", ""}});
    const auto expected = translated(without, {{"My sister sees bread.", ""}, {"", ""}, {"Nobody", ""}});
    for (size_t i = 0; i < found.size(); ++i) {
      const Candidate &one = found[i].candidates.front(), &other = expected[i].candidates.front();
      EXPECT_EQ(one.text, other.text);
      EXPECT_EQ(one.pieces, other.pieces);
      EXPECT_EQ(one.token_log_probs.size(), other.token_log_probs.size());
      EXPECT_EQ(one.tokens, other.tokens);
      EXPECT_EQ(format_links(one.links), options.finish.alignment ? format_links(other.links) : "");
    }
  }
}

TEST(TranslatorOfLanguages, ARequestMayHaveLanguagesOfItsOwn) {
  const Told told;
  Request other{"bread", ""}, wrong{"bread", ""};
  other.target_language = "y";
  wrong.target_language = "z";
  EXPECT_EQ(translated(told.translator(), {other}).front().text(), "bread");
  EXPECT_FAILS(translated(told.translator(), {wrong}), LanguageError,
               "target_language: expected a language of this model, x, y, found 'z'");
}

TEST(TranslatorOfLanguages, TextsThatHaveTheirMarksGetNoOthers) {
  const Told told;
  TranslatorOptions options;
  options.marked_sources = true;
  const Translator translator(told.package, test::copy_factory(told.package), options);
  EXPECT_EQ(translator.languages().most_of_source(), 0);
  EXPECT_EQ(translated(translator, {{"bread", ""}}).front().text(), "bread");
}

TEST(TranslatorOfLanguages, SettingsMustLeaveRoomForTheMarks) {
  const Told told;
  TranslatorOptions options;
  options.max_source_length = 2;
  EXPECT_FAILS(told.translator(options), ConfigError,
               "max_source_length, workspace: a source with its languages needs 3 tokens or more, and these settings "
               "allow 2; raise them");
}

TEST(TranslatorOfLanguages, AForcedPrefixFollowsTheMarks) {
  const Told told;
  EXPECT_TRUE(
      translated(told.translator(), {{"My sister sees bread.", "Nobody"}}).front().text().starts_with("Nobody"));
}

TEST(TranslatorOfLanguages, AModelWithoutLanguagesRefusesThem) {
  const model::Package package = test::copying_package();
  TranslatorOptions options;
  options.source_language = "de";
  EXPECT_FAILS(Translator(package, test::copy_factory(package), options), ConfigError,
               "source_language: this model is not told a language, found 'de'");
}

TEST(TextScorerOfLanguages, ScoresOnlyTheTokensOfTheText) {
  const Told told;
  const auto factory = test::copy_factory(told.package);
  TextScorerOptions options;
  EXPECT_FAILS(TextScorer(told.package, *factory, options), ConfigError, "target_language: this model must be told");
}

}  // namespace
}  // namespace ventris::translation
