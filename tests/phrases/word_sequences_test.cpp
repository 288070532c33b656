#include "phrases/word_sequences.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "metrics/unicode.h"
#include "phrases/words.h"
#include "support/whole_words.h"

namespace ventris::phrases {
namespace {

using Id = WordSequences::Id;

Id add(WordSequences& sequences, const std::string& text) {
  const auto characters = metrics::decode(text);
  return sequences.add(characters, word_ends(characters));
}

std::vector<uint8_t> found(const WordSequences& sequences, const std::string& text) {
  const auto characters = metrics::decode(text);
  return sequences.found(characters, word_ends(characters));
}

bool has_words(const std::string& text, const std::string& phrase) {
  WordSequences sequences;
  const Id id = add(sequences, phrase);
  sequences.finish();
  return found(sequences, text)[static_cast<size_t>(id)] != 0;
}

TEST(WordSequences, APhraseMustBeWholeWords) {
  EXPECT_TRUE(has_words("der Hund bellt", "Hund"));
  EXPECT_TRUE(has_words("\u201eHund\u201c", "Hund"));
  EXPECT_TRUE(has_words("Hunde und Hund", "Hund"));
  EXPECT_FALSE(has_words("Hunde", "Hund"));
  EXPECT_FALSE(has_words("Haushund Schlosshund", "hund"));
  EXPECT_FALSE(has_words("der hund", "Hund"));
  EXPECT_FALSE(has_words("", "Hund"));
}

TEST(WordSequences, SignsNeedNoBorders) {
  EXPECT_TRUE(has_words("5%", "%"));
  EXPECT_TRUE(has_words("ab.cd", "."));
  EXPECT_TRUE(has_words("那只狗在叫", "狗"));
  EXPECT_FALSE(has_words("15%", "5%"));
}

TEST(WordSequences, TheEmptyOneIsEverywhereAndEqualOnesAreOne) {
  WordSequences sequences;
  EXPECT_EQ(add(sequences, ""), WordSequences::kNone);
  EXPECT_EQ(add(sequences, "a b"), add(sequences, "a b"));
  sequences.finish();
  EXPECT_EQ(found(sequences, "x")[WordSequences::kNone], 1);
}

/// Texts of few words, so that sequences begin and end inside each other.
std::string draw_text(size_t longest) {
  std::string text;
  for (const int word : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 5))) {
    if (text.size() < longest) text += std::array{"a", "b", "ab", " ", "."}[static_cast<size_t>(word)];
  }
  return text;
}

TEST(WordSequences, AreFoundAsOneByOne) {
  EXPECT_TRUE(rc::check([] {
    std::vector<std::string> phrases(*rc::gen::inRange<size_t>(0, 20));
    for (std::string& phrase : phrases) phrase = draw_text(6);
    WordSequences sequences;
    std::vector<Id> ids;
    for (const std::string& phrase : phrases) ids.push_back(add(sequences, phrase));
    sequences.finish();
    const std::string text = draw_text(40);
    const auto has = found(sequences, text);
    for (size_t i = 0; i < phrases.size(); ++i) {
      RC_ASSERT((has[static_cast<size_t>(ids[i])] != 0) == test::has_words(text, phrases[i]));
    }
  }));
}

TEST(WordSequences, TheLongestAtAWordCanBeShortened) {
  WordSequences sequences;
  std::vector<Id> ids;
  for (size_t words = 1; words <= 40; ++words) {  // "a", "aa", ... as single characters, but without some
    std::u32string text(words, U'狗');
    ids.push_back(words % 3 == 0 ? WordSequences::kNone : sequences.add(text, word_ends(text)));
  }
  sequences.finish();
  const std::u32string text(40, U'狗');
  const auto longest = sequences.longest(text, word_ends(text));
  EXPECT_EQ(longest[0], ids[39]);
  EXPECT_EQ(longest[1], ids[37]);
  EXPECT_EQ(sequences.words(longest[1]), 38U);
  for (size_t words = 1; words <= 40; ++words) {
    EXPECT_EQ(sequences.shortened(ids[39], words), words % 3 == 0 ? ids[words - 2] : ids[words - 1]) << words;
  }
  EXPECT_EQ(sequences.shortened(ids[39], 0), WordSequences::kNone);
}

}  // namespace
}  // namespace ventris::phrases
