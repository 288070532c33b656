#include "phrases/wishes.h"

#include <gtest/gtest.h>

#include <csignal>

#include "core/error.h"
#include "core/process.h"
#include "support/errors.h"
#include "support/tiny_text.h"

namespace ventris::phrases {
namespace {

TEST(WithoutFormIn, EachWordMayBeInAnotherForm) {
  EXPECT_TRUE(without_form_in("Die alten Hunde, C++.", {"alter Hund", "C++"}).empty());
  EXPECT_EQ(without_form_in("Die alten Katzen.", {"Katze", "alter Hund"}), (std::vector<std::string>{"alter Hund"}));
  EXPECT_EQ(without_form_in("", {"Hund"}).size(), 1U);
}

using Strings = std::vector<std::string>;

class WishesTest : public testing::Test {
 protected:
  /// "phrase: reason" of each.
  Strings unmet(const WishedPhrases& phrases, const std::string& translation, int64_t room = 100) const {
    Strings all;
    for (const Unmet& one : Wishes(phrases, maker, room).unmet(translation)) {
      all.push_back(one.phrase + ": " + name_of(one.why));
    }
    return all;
  }

  PhraseMaker maker{test::tiny_tokenizer(text::TokenizerKind::kUnigram)};
};

TEST_F(WishesTest, ATranslationIsCheckedAsText) {
  const WishedPhrases phrases{{"bread", "green  umbrella"}, {"the bridge"}};
  EXPECT_EQ(unmet(phrases, "Nobody sees bread. A green umbrella."), Strings());
  EXPECT_EQ(unmet(phrases, "the bridge"),
            (Strings{"bread: missing", "green  umbrella: missing", "the bridge: present"}));
}

TEST_F(WishesTest, WhatCannotBeMetSaysWhy) {
  EXPECT_EQ(unmet({{"bread \u4f60"}, {}}, ""), (Strings{"bread \u4f60: unknown_characters"}));
  EXPECT_EQ(unmet({{"bread"}, {}}, "", 0), (Strings{"bread: too_long"}));
  EXPECT_EQ(unmet({{std::string(5000, 'a')}, {}}, ""), (Strings{std::string(5000, 'a') + ": too_long"}));
  EXPECT_EQ(unmet({{"the bridge"}, {"bridge"}}, ""), (Strings{"the bridge: forbidden"}));
  EXPECT_EQ(unmet({{"bridge"}, {"the bridge"}}, ""), (Strings{"bridge: missing"}));
}

TEST_F(WishesTest, PhrasesThatHaveNoRoomAreLeftOut) {
  const auto tokens = static_cast<int64_t>(maker.tokenizer().encode("bread").size());
  const Wishes wishes({{"bread", "the bridge"}, {}}, maker, tokens);
  EXPECT_EQ(wishes.constraints()->tokens(), tokens);
  EXPECT_EQ(unmet({{"bread", "the bridge"}, {}}, "bread", tokens), (Strings{"the bridge: too_long"}));
}

TEST_F(WishesTest, OnlySoManyPhrasesAreRequired) {
  WishedPhrases phrases;
  for (const std::string& line : test::tiny_text()) phrases.required.push_back(line);
  phrases.required.resize(66);
  const Strings found = unmet(phrases, "", 100'000);
  EXPECT_EQ(found[63], phrases.required[63] + ": missing");
  EXPECT_EQ(found[64], phrases.required[64] + ": too_many");
}

TEST_F(WishesTest, BlankTextsAndRepeatedOnesDoNotCount) {
  EXPECT_EQ(Wishes({{"", " "}, {"\u3000"}}, maker, 100).constraints(), nullptr);
  const Wishes wishes({{"bread", "bread"}, {}}, maker, 100);
  EXPECT_EQ(wishes.constraints()->tokens(), static_cast<int32_t>(maker.tokenizer().encode("bread").size()));
}

TEST_F(WishesTest, AForbiddenPhraseThatCannotBeWrittenExcludesNothing) {
  EXPECT_EQ(Wishes({{}, {"\u4f60"}}, maker, 100).constraints(), nullptr);
  EXPECT_EQ(unmet({{}, {"\u4f60"}}, "\u4f60"), (Strings{"\u4f60: present"}));
}

/// If each phrase were compared with all others, or looked for alone in every translation, this would take hours.
TEST_F(WishesTest, ManyPhrasesTakeNoLongerThanTheirText) {
  WishedPhrases phrases;
  for (int i = 0; i < 40'000; ++i) {
    const std::string number = std::to_string(i);
    phrases.forbidden.push_back("bread " + number);
    phrases.required.push_back("bridge " + number);
  }
  const Wishes wishes(phrases, maker, 100);
  std::string translation;
  for (int i = 0; i < 20'000; ++i) translation += "bread bridge " + std::to_string(i) + " ";
  for (int candidate = 0; candidate < 20; ++candidate) EXPECT_EQ(wishes.unmet(translation).size(), 20'000U);
}

TEST_F(WishesTest, OneOfSeveralFormsIsEnough) {
  const WishedPhrases phrases{{}, {}, {{"bridge", "bridges"}, {"bread"}, {" "}, {}}};
  EXPECT_EQ(unmet(phrases, "Some bridges. Bread."), (Strings{"bread: missing"}));
  EXPECT_EQ(unmet(phrases, "bread"), (Strings{"bridge: missing"}));
  const Wishes wishes({{"bread"}, {}, {{"bread"}, {"bread", "bread"}}}, maker, 100);
  EXPECT_EQ(wishes.constraints()->tokens(), static_cast<int32_t>(maker.tokenizer().encode("bread").size()));
}

TEST_F(WishesTest, FormsThatCannotBeMetLeaveTheOthers) {
  EXPECT_EQ(unmet({{}, {"bridge"}, {{"bridge", "bread"}}}, "bread"), Strings());
  EXPECT_EQ(unmet({{}, {"bridge"}, {{"bridge", "bread"}}}, ""), (Strings{"bridge: missing"}));
  EXPECT_EQ(unmet({{}, {}, {{"\u4f60", "bread \u4f60"}}}, ""), (Strings{"\u4f60: unknown_characters"}));
}

TEST_F(WishesTest, AStopSignalEndsTheWork) {
  const core::StopFlag stop{SIGTERM};
  const core::StopScope scope(&stop);
  EXPECT_FAILS(Wishes({{"bread"}, {}}, maker, 100), Interrupted, "phrases: ");
  EXPECT_FAILS(Wishes({{}, {"bread"}}, maker, 100), Interrupted, "phrases: ");
}

TEST(Unmet, ASentenceSaysWhatIsWrong) {
  EXPECT_EQ(sentence_about({"Hund", Obstacle::kMissing}),
            "'Hund' is not in the translation, although it is required; a larger --beam-size may help");
  EXPECT_EQ(sentence_about({"Hund", Obstacle::kUnknown}),
            "'Hund' is not in the translation, because the tokenizer does not know all of its characters");
  EXPECT_EQ(sentence_about({"Hund", Obstacle::kTooLong}),
            "'Hund' is not in the translation, because it is longer than a translation of this line may be");
  EXPECT_EQ(sentence_about({"Hund", Obstacle::kTooMany}),
            "'Hund' is not in the translation, because the line has more than 64 phrases");
  EXPECT_EQ(sentence_about({"Hund", Obstacle::kForbidden}),
            "'Hund' is not in the translation, because a forbidden phrase excludes it");
  EXPECT_EQ(sentence_about({"Hund", Obstacle::kPresent}), "'Hund' is in the translation, although it is forbidden");
}

TEST(Wishes, RequiredPhrasesNeedABeamSearch) {
  decoding::SearchOptions search;
  EXPECT_FAILS(check_requiring(search), ConfigError, "need a beam search; give --beam-size 5 or more");
  search.beam_size = 2;
  check_requiring(search);
  search.sampling.enabled = true;
  EXPECT_FAILS(check_requiring(search), ConfigError, "without --sampling");
}

}  // namespace
}  // namespace ventris::phrases
