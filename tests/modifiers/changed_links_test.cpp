#include "modifiers/changed_links.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ventris::modifiers {
namespace {

using Kind = ModifierKind;
using metrics::Division;
using text::format_links;
using text::Links;

const TextPair kPair{"two dogs, here", "hier, zwei Hunde.", {{0, 2}, {1, 3}, {3, 0}}};

std::string links_after(Kind kind, const std::vector<TextPair>& lines, const TextPair& result,
                        Division division = Division::kText) {
  return format_links(changed_links(kind, lines, result, division));
}

TEST(ChangedLinks, StayWhereTheWordsStay) {
  EXPECT_EQ(links_after(Kind::kUpper, {kPair}, {"TWO DOGS, HERE", "HIER, ZWEI HUNDE."}), "0-2 1-3 3-0");
  EXPECT_EQ(links_after(Kind::kTypos, {kPair}, {"two dgos, here", kPair.target}), "0-2 1-3 3-0");
  EXPECT_EQ(links_after(Kind::kTypos, {kPair}, {"two d ogs, here", kPair.target}), "");  // another word
}

TEST(ChangedLinks, ThoseOfDroppedPunctuationAreGone) {
  const TextPair pair{"a dog.", "ein Hund.", {{1, 1}, {2, 2}}};
  EXPECT_EQ(links_after(Kind::kPunctuation, {pair}, {"a dog", "ein Hund"}), "1-1");
  EXPECT_EQ(links_after(Kind::kPunctuation, {pair}, {"a dog..", "ein Hund.."}), "1-1 2-2");
}

TEST(ChangedLinks, AnEmojiMovesTheWordsAfterItAndIsLinked) {
  EXPECT_EQ(links_after(Kind::kEmoji, {kPair}, {"★ two dogs, here", "★ hier, zwei Hunde."}), "0-0 1-3 2-4 4-1");
  EXPECT_EQ(links_after(Kind::kEmoji, {kPair}, {"two dogs, here ★", "hier, zwei Hunde. ★"}), "0-2 1-3 3-0 4-5");
  const TextPair two{"a. b", "c. d", {{0, 0}, {2, 2}}};
  EXPECT_EQ(links_after(Kind::kEmoji, {two}, {"a. ★ b", "c. ★ d"}), "0-0 2-2 3-3");
  EXPECT_EQ(links_after(Kind::kEmoji, {two}, {"a. ★ b", "c. d"}), "");
}

TEST(ChangedLinks, MergedPairsHaveThoseOfTheirParts) {
  const TextPair other{"cats", "die Katzen", {{0, 1}}};
  const TextPair whole{kPair.source + " cats", kPair.target + " die Katzen"};
  EXPECT_EQ(links_after(Kind::kMerge, {kPair, other}, whole), "0-2 1-3 3-0 4-6");
  const TextPair chinese{"你好", "hello", {{0, 0}}};
  EXPECT_EQ(links_after(Kind::kMerge, {chinese, chinese}, {"你好你好", "hello hello"}, Division::kTokenized), "");
}

TEST(ChangedLinks, OfACopyEachWordIsItsOwn) {
  EXPECT_EQ(links_after(Kind::kCopy, {kPair}, {kPair.target, kPair.target}), "0-0 1-1 2-2 3-3 4-4");
}

TEST(ChangedLinks, AreMadeByAllChangesOfAnyPair) {
  for (const Kind kind : all_kinds()) {
    for (uint64_t seed = 0; seed < 200; ++seed) {
      Draws draws(seed);
      const std::vector<TextPair> lines{kPair, kPair};
      const auto result = changed({kind, 1}, lines, draws, Division::kText);
      if (!result) continue;
      const auto sources = std::ssize(metrics::divided(result->source, Division::kText));
      const auto targets = std::ssize(metrics::divided(result->target, Division::kText));
      EXPECT_FALSE(result->links.empty()) << name_of(kind) << " " << result->source;
      EXPECT_TRUE(std::ranges::is_sorted(result->links));
      for (const text::Link& link : result->links) EXPECT_TRUE(link.source < sources && link.target < targets);
      if (needs_links(kind)) continue;
      Draws again(seed);
      const auto without = changed({kind, 1}, lines, again);
      EXPECT_EQ(without->source, result->source);
      EXPECT_TRUE(without->links.empty());
    }
  }
}

}  // namespace
}  // namespace ventris::modifiers
