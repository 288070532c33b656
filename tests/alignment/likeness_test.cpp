#include "alignment/likeness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace ventris::alignment {
namespace {

Likeness likeness(const std::string& source, const std::string& target) {
  WordTable words(4);
  const int32_t first = words.add(source), second = words.add(target);
  return Comparison().likeness(words[first], words[second]);
}

TEST(Likeness, OfSignsNumbersAndWords) {
  EXPECT_EQ(likeness(".", "."), Likeness::kSameSign);
  EXPECT_EQ(likeness(".", ","), Likeness::kOtherSign);
  EXPECT_EQ(likeness(".", "a"), Likeness::kSignAndWord);
  EXPECT_EQ(likeness("7", "?"), Likeness::kSignAndWord);
  EXPECT_EQ(likeness("7", "7"), Likeness::kSameNumber);
  EXPECT_EQ(likeness("7", "8"), Likeness::kOtherNumber);
  EXPECT_EQ(likeness("Nation", "nation"), Likeness::kSame);
  EXPECT_EQ(likeness("7", "seven"), Likeness::kUnlike);
}

TEST(Likeness, CountsCommonLettersOfWordsOfThreeLettersOrMore) {
  EXPECT_EQ(likeness("telefon", "telephone"), Likeness::kAlike);     // telon: 6 of 9 with e
  EXPECT_EQ(likeness("nationen", "nations"), Likeness::kVeryAlike);  // nation: 6 of 8
  EXPECT_EQ(likeness("haus", "tree"), Likeness::kUnlike);
  EXPECT_EQ(likeness("ab", "abc"), Likeness::kUnlike);
  EXPECT_EQ(likeness("abc", "abcdefg"), Likeness::kUnlike);  // 3 of 7
}

/// The length of the longest common subsequence.
size_t common(const std::u16string& a, const std::u16string& b) {
  std::vector<size_t> row(b.size() + 1);
  for (const char16_t letter : a) {
    size_t before = 0;
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = letter == b[j] ? before + 1 : std::max(row[j + 1], row[j]);
      before = above;
    }
  }
  return row.back();
}

TEST(Likeness, IsThatOfAPlainComputation) {
  std::mt19937 random(2);
  Comparison comparison;
  Word first{.text = "", .kind = WordKind::kWord}, second = first;
  for (int round = 0; round < 2000; ++round) {
    const auto draw = [&](Word& word, size_t most) {
      word.letters.clear();
      for (size_t left = 3 + random() % most; left > 0; --left) {
        word.letters.push_back(static_cast<char16_t>(u'a' + random() % 4));
      }
      word.text = &word == &first ? "first" : "second";
    };
    if (round % 3 == 0) {
      draw(first, 61);
      comparison = Comparison();
    }
    draw(second, 61);
    const size_t letters = common(first.letters, second.letters),
                 longer = std::max(first.letters.size(), second.letters.size());
    const Likeness expected = 10 * letters >= 7 * longer ? Likeness::kVeryAlike
                              : 2 * letters >= longer    ? Likeness::kAlike
                                                         : Likeness::kUnlike;
    EXPECT_EQ(comparison.likeness(first, second), expected);
  }
}

TEST(PairClass, TellsFrequenciesApart) {
  Word rare{.text = "a", .count = 1}, frequent{.text = "b", .count = 1000}, unseen{.text = "c", .count = 0};
  EXPECT_NE(pair_class(Likeness::kUnlike, rare, frequent), pair_class(Likeness::kUnlike, frequent, rare));
  EXPECT_EQ(pair_class(Likeness::kUnlike, rare, rare), pair_class(Likeness::kUnlike, unseen, rare));
  for (const Word& source : {rare, frequent, unseen}) {
    for (const Word& target : {rare, frequent, unseen}) {
      EXPECT_LT(pair_class(Likeness::kSame, source, target), kPairClasses);
    }
  }
}

TEST(UsualRatios, AreThoseOfTheLikenessOfEachClass) {
  const auto ratios = usual_ratios();
  const Word word{.text = "a", .count = 1};
  EXPECT_EQ(ratios[pair_class(Likeness::kSame, word, word)], usual_ratio(Likeness::kSame));
  EXPECT_EQ(ratios[pair_class(Likeness::kUnlike, word, word)], 1);
}

}  // namespace
}  // namespace ventris::alignment
