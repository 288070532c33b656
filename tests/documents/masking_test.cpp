#include "documents/masking.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/tiny_text.h"

namespace ventris::documents {
namespace {

/// A text in which "{0}" is an object.
MarkedText around_object(const std::string& text) {
  MarkedText marked{text};
  const size_t at = text.find("{0}");
  marked.hide({{at, at + 3}});
  return marked;
}

TEST(Mask, AnObjectBecomesAWordThatTheSentenceDoesNotHave) {
  MarkedText text = around_object("Tom sees {0} today");
  text.marks = {{text.text.size(), Mark::Kind::kAlone, "<br>"}};
  const MaskedText masked = mask(text, {"Tom", "Anna"});
  EXPECT_EQ(masked.text, "Tom sees Anna today");
  EXPECT_EQ(masked.marks[0].at, masked.text.size());
  EXPECT_EQ(mask(text, {"Tom"}).text, "Tom sees  today");
  EXPECT_EQ(mask({"Tom"}, {"Anna"}).text, "Tom");
}

TEST(CopiedWords, AreNamesThatBothTokenizersKnow) {
  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  EXPECT_TRUE(copied_words(tokenizer, tokenizer).empty());
}

TEST(CopiedWords, AreThePlaceholdersOfTokenizersThatHaveThem) {
  const auto lines = test::tiny_text();
  text::TokenizerTraining training;
  training.vocab_size = 150;
  training.user_pieces = {"<ph1>", "<ph2>"};
  const text::Tokenizer with(text::learn_tokenizer(test::source_of(lines), training), "with placeholders");
  EXPECT_EQ(copied_words(with, with), (std::vector<std::string>{"<ph1>", "<ph2>"}));
  const text::Tokenizer without = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  EXPECT_TRUE(copied_words(with, without).empty());
}

TEST(Mask, NoWordStandsWhereAnObjectTouchesALetterOrFollowsASentence) {
  const std::vector<std::string> words{"Tom"};
  const auto masked = [&](const std::string& text) { return mask(around_object(text), words).text; };
  EXPECT_EQ(masked("tired{0}"), "tired");
  EXPECT_EQ(masked("{0}They sleep"), "They sleep");
  EXPECT_EQ(masked("I am tired.{0}"), "I am tired.");
  EXPECT_EQ(masked("...{0}, and"), "...Tom, and") << "nothing ends here";
  EXPECT_EQ(masked("5{0}"), "5");
  EXPECT_EQ(masked("tired{0}and"), "tired and") << "two words";
  MarkedText emoji{"\uFFFC\uFFFC has gone", {}, {{0, "\U0001F600"}, {3, "{0}"}}};
  EXPECT_EQ(mask(emoji, words).text, "Tom has gone") << "an emoji has no word, and what follows it does";
  EXPECT_EQ(masked("the {0}, too"), "the Tom, too");
  EXPECT_EQ(masked("name:{0}"), "name:Tom");
  EXPECT_EQ(masked("\u8fd9\u662f{0}\u5417"), "\u8fd9\u662fTom\u5417") << "words without spaces between";
}

}  // namespace
}  // namespace ventris::documents
