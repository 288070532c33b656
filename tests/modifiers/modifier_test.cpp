#include "modifiers/modifier.h"

#include <gtest/gtest.h>
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "core/utf8.h"

namespace ventris::modifiers {
namespace {

using Kind = ModifierKind;

std::optional<TextPair> after(Kind kind, const std::vector<TextPair>& lines, uint64_t seed = 1) {
  Draws draws(seed);
  return changed({kind, 1}, lines, draws);
}

/// All results of many seeds.
std::set<std::pair<std::string, std::string>> results(Kind kind, const std::vector<TextPair>& lines) {
  std::set<std::pair<std::string, std::string>> found;
  for (uint64_t seed = 0; seed < 500; ++seed) {
    const auto pair = after(kind, lines, seed);
    found.insert(pair ? std::pair{pair->source, pair->target} : std::pair<std::string, std::string>{"-", "-"});
  }
  return found;
}

TEST(Modifiers, AChoiceIsAFunctionOfSeedEpochAndPair) {
  const std::vector<Modifier> list{{Kind::kUpper, 0.3}, {Kind::kTypos, 0.3}};
  const Modifiers one(list, 5), same(list, 5), other(list, 6);
  int epochs = 0, pairs = 0, seeds = 0;
  const auto chosen = [](const Modifiers& from, uint64_t epoch, uint64_t pair) {
    const auto choice = from.choose(epoch, pair);
    return choice ? static_cast<int>(choice->modifier) : -1;
  };
  for (uint64_t pair = 0; pair < 200; ++pair) {
    EXPECT_EQ(chosen(one, 3, pair), chosen(same, 3, pair));
    epochs += chosen(one, 3, pair) != chosen(one, 4, pair);
    pairs += chosen(one, 3, pair) != chosen(one, 3, pair + 1);
    seeds += chosen(one, 3, pair) != chosen(other, 3, pair);
  }
  for (const int differ : {epochs, pairs, seeds}) EXPECT_GT(differ, 80);
}

TEST(Modifiers, TheSharesAreKept) {
  const std::vector<Modifier> list{{Kind::kUpper, 0.05}, {Kind::kTypos, 0.2}, {Kind::kCopy, 0.005}};
  const Modifiers modifiers(list, 11);
  constexpr int kPairs = 50000;
  std::map<size_t, int> counts;
  for (uint64_t pair = 0; pair < kPairs; ++pair) {
    if (const auto choice = modifiers.choose(0, pair)) ++counts[choice->modifier];
  }
  for (size_t i = 0; i < list.size(); ++i) {
    EXPECT_NEAR(counts[i], kPairs * list[i].share, 5 * std::sqrt(kPairs * list[i].share));
  }
}

TEST(Modifiers, SharesOfOneReachEveryPair) {
  const Modifiers modifiers({{Kind::kUpper, 0.5}, {Kind::kTitle, 0.5}}, 1);
  for (uint64_t pair = 0; pair < 1000; ++pair) EXPECT_TRUE(modifiers.choose(0, pair));
  EXPECT_FALSE(Modifiers({}, 1).choose(0, 0));
}

TEST(Modifiers, CapitalsAndTitlesAreOnBothSides) {
  EXPECT_EQ(after(Kind::kUpper, {{"a dog", "ein Fuß"}}), (TextPair{"A DOG", "EIN FUSS"}));
  EXPECT_EQ(after(Kind::kTitle, {{"a dog", "ein Hund"}}), (TextPair{"A Dog", "Ein Hund"}));
  EXPECT_EQ(after(Kind::kUpper, {{"a dog", "一只狗"}}), (TextPair{"A DOG", "一只狗"}));
  EXPECT_EQ(after(Kind::kUpper, {{"狗", "犬"}}), std::nullopt);
}

TEST(Modifiers, TyposLeaveTheTargetAlone) {
  const auto pair = after(Kind::kTypos, {{"a dog", "ein Hund"}});
  EXPECT_NE(pair->source, "a dog");
  EXPECT_EQ(pair->target, "ein Hund");
}

TEST(Modifiers, PunctuationIsDroppedOrDoubledOnBothSidesAlike) {
  using Results = std::set<std::pair<std::string, std::string>>;
  EXPECT_EQ(results(Kind::kPunctuation, {{"Yes!", "Oui !"}}), (Results{{"Yes", "Oui"}, {"Yes!!", "Oui !!"}}));
  EXPECT_EQ(results(Kind::kPunctuation, {{"Hello.", "你好。"}}), (Results{{"Hello", "你好"}, {"Hello..", "你好。。"}}));
  EXPECT_EQ(results(Kind::kPunctuation, {{"How?", "كيف؟"}}), (Results{{"How", "كيف"}, {"How??", "كيف؟؟"}}));
  EXPECT_EQ(results(Kind::kPunctuation, {{"One.", "Eins"}}), (Results{{"-", "-"}}));
  EXPECT_EQ(results(Kind::kPunctuation, {{"What?", "¿Qué?"}}), (Results{{"-", "-"}}));
  EXPECT_EQ(results(Kind::kPunctuation, {{"...", "Na..."}}), (Results{{"-", "-"}, {"....", "Na...."}}));
}

TEST(Modifiers, AnEmojiComesToTheSamePlaceOfBothSides) {
  const std::vector<TextPair> lines{{"One. Two.", "一。二。"}};
  std::set<std::string> places;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const auto pair = after(Kind::kEmoji, lines, seed);
    const auto symbol = std::ranges::find_if(
        symbols(), [&](std::string_view one) { return pair->source.find(one) != std::string::npos; });
    ASSERT_NE(symbol, symbols().end());
    std::string source = pair->source, target = pair->target;
    source.replace(source.find(*symbol), symbol->size(), "X");
    ASSERT_NE(target.find(*symbol), std::string::npos);
    target.replace(target.find(*symbol), symbol->size(), "X");
    places.insert(source + "|" + target);
  }
  EXPECT_EQ(places, (std::set<std::string>{"X One. Two.|X一。二。", "One. Two. X|一。二。X", "One. X Two.|一。X二。"}));
}

TEST(Modifiers, EmojiSurviveNormalisationAndAreDistinct) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfkc = icu::Normalizer2::getNFKCInstance(error);
  ASSERT_TRUE(U_SUCCESS(error));
  for (const std::string_view symbol : symbols()) {
    const icu::UnicodeString text = icu::UnicodeString::fromUTF8({symbol.data(), static_cast<int32_t>(symbol.size())});
    EXPECT_EQ(text.countChar32(), 1) << symbol;
    EXPECT_TRUE(nfkc->isNormalized(text, error)) << symbol;
  }
  EXPECT_EQ(std::set<std::string_view>(symbols().begin(), symbols().end()).size(), symbols().size());
}

TEST(Modifiers, AMergeJoinsBothSides) {
  EXPECT_EQ(after(Kind::kMerge, {{"One.", "一。"}, {"Two.", "二。"}, {"3.", "三。"}}),
            (TextPair{"One. Two. 3.", "一。二。三。"}));
  EXPECT_EQ(after(Kind::kMerge, {{"One.", "一。"}}), std::nullopt);
}

TEST(Modifiers, AMergeTakesFromTwoPairsToTheMost) {
  std::map<size_t, int> taken;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Draws draws(seed);
    ++taken[pairs_taken({Kind::kMerge, 1, 0.1, 4}, draws)];
  }
  EXPECT_EQ(taken.size(), 3U);
  for (const size_t count : {2U, 3U, 4U}) EXPECT_NEAR(taken[count], 200, 60);
  Draws draws(1);
  EXPECT_EQ(pairs_taken({Kind::kUpper, 1}, draws), 1U);
}

TEST(Modifiers, ACopyHasTheTargetOnBothSides) {
  EXPECT_EQ(after(Kind::kCopy, {{"a dog", "ein Hund"}}), (TextPair{"ein Hund", "ein Hund"}));
  EXPECT_EQ(after(Kind::kCopy, {{"same", "same"}}), std::nullopt);
}

TEST(Modifiers, EachKindHasAName) {
  std::set<std::string> names;
  for (const Kind kind : all_kinds()) names.insert(name_of(kind));
  EXPECT_EQ(names, (std::set<std::string>{"upper", "title", "typos", "punctuation", "emoji", "merge", "copy", "tags",
                                          "terms"}));
}

/// Up to 12 characters of any kind, many of them marks, spaces, punctuation and emoji.
std::string drawn_text(Draws& draws) {
  constexpr std::array<std::pair<char32_t, char32_t>, 10> kRanges{{{0x20, 0x7E},
                                                                   {0x20, 0x40},
                                                                   {0xA0, 0x24F},
                                                                   {0x300, 0x36F},
                                                                   {0x590, 0x6FF},
                                                                   {0x900, 0xE7F},
                                                                   {0x2000, 0x206F},
                                                                   {0x3000, 0x30FF},
                                                                   {0x1F300, 0x1FAFF},
                                                                   {0xE000, 0x10FFFF}}};
  std::string text;
  for (size_t left = draws.below(13); left > 0; --left) {
    const auto [first, last] = kRanges.at(draws.below(kRanges.size()));
    text += core::utf8_of(first + static_cast<char32_t>(draws.below(last - first + 1)));
  }
  return text;
}

TEST(Modifiers, AnyTextStaysValid) {
  const auto is_valid = [](std::string_view text) {
    for (size_t at = 0; at < text.size();) {
      const core::Utf8Unit unit = core::utf8_unit_at(text, at);
      if (!unit.valid) return false;
      at += unit.length;
    }
    return true;
  };
  Draws draws(1);
  int made = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::vector<TextPair> lines{{drawn_text(draws), drawn_text(draws)}, {drawn_text(draws), drawn_text(draws)}};
    for (const Kind kind : all_kinds()) {
      const auto result = changed({kind, 1, 0.5}, lines, draws);
      if (!result) continue;
      ++made;
      ASSERT_TRUE(is_valid(result->source)) << testing::PrintToString(lines[0].source);
      ASSERT_TRUE(is_valid(result->target)) << testing::PrintToString(lines[0].target);
      EXPECT_FALSE(result->source.empty() || result->target.empty());
    }
  }
  EXPECT_GT(made, 5000);
}

TEST(Modifiers, NoSideIsEverBlank) {
  const std::vector<TextPair> texts{{"", ""},         {" ", "."},       {".", "."},       {"!", "a!"},
                                    {"\u3000", "。"}, {"a", ""},        {"😀", "😀"},     {"\u0301", "b"},
                                    {"¿?", "?"},      {"...", "…"},     {"\u200f", "x"},  {"ß", "ŉ"},
                                    {"الف", ""},      {"\u00a0.", "."}, {"a\u0301.", "."}};
  for (const TextPair& pair : texts) {
    for (const Kind kind : all_kinds()) {
      for (uint64_t seed = 0; seed < 30; ++seed) {
        const auto result = after(kind, {pair, pair}, seed);
        if (!result) continue;
        EXPECT_NE(result->source.find_first_not_of(" \t"), std::string::npos);
        EXPECT_NE(result->target.find_first_not_of(" \t"), std::string::npos);
        EXPECT_NE(*result, pair);
      }
    }
  }
}

}  // namespace
}  // namespace ventris::modifiers
