#include "documents/guards.h"

#include <gtest/gtest.h>

#include "support/tiny_text.h"

namespace ventris::documents {
namespace {

/// Learning a tokenizer takes longer than all checks, so each is learnt once.
Warnings of_source(const std::string& text, bool bytes = false) {
  static const Guards kGuards(test::tiny_tokenizer(text::TokenizerKind::kUnigram));
  static const Guards kWithBytes(test::tiny_tokenizer(text::TokenizerKind::kUnigram, true));
  return (bytes ? kWithBytes : kGuards).of_source(text).warnings;
}

Warnings of_pair(const std::string& source, const std::string& target, int64_t from = 5, int64_t to = 5) {
  return Guards::of_pair({source, target, from, to, false});
}

TEST(Guards, OrdinaryTextIsNotWarnedAbout) {
  for (const std::string& line : test::tiny_text()) EXPECT_EQ(of_source(line), Warnings()) << line;
}

TEST(Guards, LettersOfAnotherWritingSystemAreFound) {
  EXPECT_TRUE(of_source("Nobody sees \u4f60\u597d").contains(Warning::kWritingSystem));
  EXPECT_EQ(of_source("Nobody sees \u0434\u043e\u043c", true),
            Warnings{Warning::kWritingSystem});  // bytes, no unknowns
  EXPECT_EQ(of_source("Nobody sees 100 % \u2013 \u00e9"), Warnings{Warning::kUnknownCharacters});
}

TEST(Guards, AFewUnknownCharactersAreAllowedButNoEmoji) {
  const std::string text = "The old man is waiting for the bridge and a green umbrella.";
  EXPECT_EQ(of_source(text + " %"), Warnings());
  EXPECT_EQ(of_source(text + " \U0001F642"), Warnings{Warning::kUnknownCharacters});
  EXPECT_EQ(of_source(text + " %%%"), Warnings{Warning::kUnknownCharacters});
  EXPECT_EQ(of_source("sees %"), Warnings{Warning::kUnknownCharacters});
}

TEST(Guards, InvisibleCharactersThatTheModelSeesAreFound) {
  const std::string soft = "Nobody sees the br\u00ADead.", joined = "Nobody sees the br\u200Cead.";
  EXPECT_TRUE(of_source(soft).contains(Warning::kInvisible));
  EXPECT_TRUE(of_source(soft, true).contains(Warning::kInvisible));
  EXPECT_TRUE(of_source(joined).contains(Warning::kInvisible));
  const auto lines = test::tiny_text();
  text::TokenizerTraining training;
  training.vocab_size = 150;
  training.drop_invisible = true;
  const Guards guards(text::Tokenizer(text::learn_tokenizer(test::source_of(lines), training), "tiny tokenizer"));
  EXPECT_EQ(guards.of_source(soft).warnings, Warnings());
  EXPECT_EQ(guards.of_source(joined).warnings, Warnings());
  EXPECT_TRUE(guards.of_source("Nobody sees bread\uFE0F.").warnings.contains(Warning::kInvisible));
  EXPECT_EQ(guards.of_source("\u0645\u06CC\u200C\u062E").warnings.count(Warning::kInvisible), 0U);
}

TEST(Guards, TheTokensOfASourceAreCounted) {
  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  EXPECT_EQ(Guards(tokenizer).of_source("Nobody sees bread").tokens,
            static_cast<int64_t>(tokenizer.encode("Nobody sees bread").size()));
}

TEST(Guards, ATranslationFarLongerOrShorterIsFound) {
  EXPECT_EQ(of_pair("a", "b", 5, 22), Warnings());
  EXPECT_EQ(of_pair("a", "b", 5, 23), Warnings{Warning::kLengthRatio});
  EXPECT_EQ(of_pair("a", "b", 23, 5), Warnings{Warning::kLengthRatio});
}

TEST(Guards, ACopyOfOrdinaryWordsIsFoundButNotOfNames) {
  EXPECT_EQ(of_pair("the old man sleeps", "the old man sleeps"), Warnings{Warning::kCopy});
  EXPECT_EQ(of_pair("the old man sleeps", "der alte Mann"), Warnings());
  EXPECT_EQ(of_pair("Hotel Adlon Berlin Mitte", "Hotel Adlon Berlin Mitte"), Warnings());
  EXPECT_EQ(of_pair("1 2 3 4 5", "1 2 3 4 5"), Warnings());
}

TEST(Guards, ATranslationThatRepeatsItselfIsFound) {
  EXPECT_EQ(Guards::of_pair({"a", "b", 5, 5, true}), Warnings{Warning::kRepetition});
}

core::FirstLines lines(int64_t first, int64_t count) {
  core::FirstLines lines;
  for (int64_t i = 0; i < count; ++i) lines.add(first + i);
  return lines;
}

TEST(SentenceAbout, SaysHowManyAndWhichAreTheFirst) {
  EXPECT_EQ(sentence_about(Warning::kRepetition, lines(7, 1)), "1 translation repeats itself over and over (line 7)");
  EXPECT_EQ(sentence_about(Warning::kRepetition, lines(1200, 1187)),
            "1,187 translations repeat themselves over and over (first: lines 1200, 1201, 1202, 1203, 1204)");
  for (int i = 0; i <= static_cast<int>(Warning::kPlaceholders); ++i) {
    EXPECT_NE(std::string(name_of(static_cast<Warning>(i))), "");
    EXPECT_NE(sentence_about(static_cast<Warning>(i), lines(3, 2)).find("(lines 3, 4)"), std::string::npos);
  }
}

}  // namespace
}  // namespace ventris::documents
