#include "documents/unknown_symbols.h"

#include <gtest/gtest.h>

#include "support/tiny_text.h"

namespace ventris::documents {
namespace {

std::vector<std::string> unknown(const std::string& text, bool bytes = false) {
  static const text::Tokenizer kPlain = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  static const text::Tokenizer kWithBytes = test::tiny_tokenizer(text::TokenizerKind::kUnigram, true);
  const text::Tokenizer& tokenizer = bytes ? kWithBytes : kPlain;
  std::vector<std::string> found;
  for (const text::ByteRange& range : unknown_symbols(text, tokenizer, tokenizer)) {
    found.push_back(text.substr(range.begin, range.end - range.begin));
  }
  return found;
}
using Texts = std::vector<std::string>;

TEST(UnknownSymbols, EmojiThatTheTokenizerDoesNotKnowAreFound) {
  EXPECT_EQ(unknown("Nobody 🦊 sees 🍕🍕 bread ★"), Texts({"🦊", "🍕🍕", "★"}));
  EXPECT_EQ(unknown("Nobody 🦊", true), Texts({"🦊"}));  // bytes are no knowledge
}

TEST(UnknownSymbols, WhatBelongsToASymbolStaysWithIt) {
  for (const char* symbol : {"👩🏽‍🚒", "🇩🇪", "❤️", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"})
    EXPECT_EQ(unknown(std::string("a ") + symbol + " b"), Texts({symbol}));
}

TEST(UnknownSymbols, LettersDigitsAndAsciiSignsAreNone) {
  for (const char* text : {"", "Nobody sees 3 # * %", "你好", "\uFFFC", "° ©", "a\xFF"})
    EXPECT_EQ(unknown(text), Texts());
}

TEST(UnknownSymbols, RaisedNumbersAndFractionsThatTheTokenizerChangesAreFound) {
  EXPECT_EQ(unknown("3\u00BD of 5 m\u00B2, 10\u2076\u2077 H\u2082O"),
            Texts({"\u00BD", "\u00B2", "\u2076\u2077", "\u2082"}));
  EXPECT_EQ(unknown("SO\u2084\u00B2\u207B, 10\u207B\u00B3, x\u207D\u00B9\u207E"),
            Texts({"\u2084\u00B2\u207B", "\u207B\u00B3", "\u207D\u00B9\u207E"}));
  EXPECT_EQ(unknown("\u2167 1/2"), Texts()) << "other numbers";
  EXPECT_EQ(unknown("Foo\u2122 \u2462 \u2605\u2122\uFE0F"), Texts({"\u2122", "\u2462", "\u2605", "\u2122\uFE0F"}))
      << "\"TM\" is no sign";
}

TEST(UnknownSymbols, KnownOnesAreLeftToTheModel) {
  std::vector<std::string> lines = test::tiny_text();
  for (std::string& line : lines) line += " 🦊";
  text::TokenizerTraining training;
  training.vocab_size = 150;
  const text::Tokenizer knows(text::learn_tokenizer(test::source_of(lines), training), "with fox");
  const text::Tokenizer not_known = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  EXPECT_TRUE(unknown_symbols("a 🦊", knows, knows).empty());
  EXPECT_EQ(unknown_symbols("a 🦊", knows, not_known).size(), 1U);
  EXPECT_EQ(unknown_symbols("a 🦊", not_known, knows).size(), 1U);
}

TEST(UnknownSymbols, TextsOfSymbolsAreTold) {
  for (const char* text : {"🦊", "🦊🍕", "👩🏽‍🚒", "★"}) EXPECT_TRUE(are_only_symbols(text)) << text;
  for (const char* text : {"", "a", "🦊a", "{0}", "\uFE0F"}) EXPECT_FALSE(are_only_symbols(text)) << text;
}

}  // namespace
}  // namespace ventris::documents
