#include "modifiers/tags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "text/placeholder_words.h"

namespace ventris::modifiers {
namespace {

using metrics::Division;
using text::kPlaceholderWords;

const TextPair kPair{"The two dogs, here", "Hier sind zwei Hunde.", {{1, 2}, {2, 3}, {4, 0}}};

TextPair tagged(const TextPair& pair, uint64_t seed, size_t most = 3, Division division = Division::kText) {
  Draws draws(seed);
  return with_tags(pair, most, draws, division);
}

/// The placeholders of a text, in their order.
std::vector<std::string> placeholders(const std::string& text) {
  std::map<size_t, std::string> found;
  for (const std::string_view word : kPlaceholderWords) {
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) found[at] = word;
  }
  std::vector<std::string> words;
  for (const auto& [at, word] : found) words.push_back(word);
  return words;
}

/// What is linked to what: "two" -> "zwei", "<ph1>" -> "<ph1>".
std::map<std::string, std::set<std::string>> linked(const TextPair& pair) {
  const auto source = metrics::divided(pair.source, Division::kText);
  const auto target = metrics::divided(pair.target, Division::kText);
  std::map<std::string, std::set<std::string>> found;
  for (const text::Link& link : pair.links) {
    found[std::string(source.at(static_cast<size_t>(link.source)))].emplace(
        target.at(static_cast<size_t>(link.target)));
  }
  return found;
}

TEST(WithTags, BothSidesGetTheSamePlaceholdersNumberedInTheOrderOfTheSource) {
  std::set<size_t> counts;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const TextPair result = tagged(kPair, seed);
    const auto source = placeholders(result.source);
    auto target = placeholders(result.target);
    counts.insert(source.size());
    ASSERT_FALSE(source.empty());
    for (size_t i = 0; i < source.size(); ++i) EXPECT_EQ(source[i], kPlaceholderWords.at(i)) << result.source;
    std::ranges::sort(target);
    EXPECT_EQ(target, source) << result.target;
  }
  EXPECT_EQ(counts, (std::set<size_t>{1, 2, 3}));
}

TEST(WithTags, APlaceholderIsAtOrInsteadOfLinkedWords) {
  const TextPair one{"a dog.", "ein Hund.", {{1, 1}}};
  std::set<std::pair<std::string, std::string>> found;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const TextPair result = tagged(one, seed);
    found.emplace(result.source, result.target);
  }
  const std::set<std::pair<std::string, std::string>> expected{
      {"a <ph1>.", "ein <ph1>."}, {"a <ph1> dog.", "ein <ph1> Hund."}, {"a dog <ph1>.", "ein Hund <ph1>."}};
  EXPECT_EQ(found, expected);
}

TEST(WithTags, TheLinksOfTheOtherWordsStayAndPlaceholdersAreLinked) {
  const std::map<std::string, std::set<std::string>> all{{"two", {"zwei"}}, {"dogs", {"Hunde"}}, {"here", {"Hier"}}};
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const TextPair result = tagged(kPair, seed);
    EXPECT_TRUE(std::ranges::is_sorted(result.links));
    for (const auto& [source, targets] : linked(result)) {
      if (all.contains(source)) {
        EXPECT_EQ(targets, all.at(source)) << result.source;
      } else {
        EXPECT_TRUE(std::string_view("<ph1><ph2><ph3>").find(source) != std::string_view::npos) << source;
      }
    }
    for (const auto& [source, target] : all) {
      const bool left = result.source.find(source) != std::string::npos;
      EXPECT_EQ(linked(result).contains(source), left) << result.source;
    }
    for (const std::string& word : placeholders(result.source)) {
      EXPECT_TRUE(linked(result).at(word.substr(1, word.size() - 2)).contains(word.substr(1, word.size() - 2)));
    }
  }
}

TEST(WithTags, OnlyWordsWithOneLinkAndLettersAreChosen) {
  const TextPair none{"a - b.", "c - d.", {{0, 0}, {0, 2}, {1, 1}, {3, 3}}};
  for (uint64_t seed = 0; seed < 20; ++seed) EXPECT_EQ(tagged(none, seed), none);
  EXPECT_EQ(tagged({"a", "b"}, 1), (TextPair{"a", "b"}));
  const TextPair taken{"see <ph2> there", "sieh <ph2> da", {{0, 0}}};
  EXPECT_EQ(tagged(taken, 1), taken);
}

TEST(WithTags, ThereAreNoSpacesBesideChinese) {
  const TextPair chinese{"dog", "\u72d7", {{0, 0}}};
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 50; ++seed) found.insert(tagged(chinese, seed).target);
  EXPECT_EQ(found, (std::set<std::string>{"<ph1>", "<ph1>\u72d7", "\u72d7<ph1>"}));
}

TEST(WithTags, LinksOfTokenizedTextCountItsWords) {
  const TextPair tokenized{"a dog .", "ein Hund .", {{0, 0}, {1, 1}, {2, 2}}};
  for (uint64_t seed = 0; seed < 50; ++seed) {
    const TextPair result = tagged(tokenized, seed, 1, Division::kTokenized);
    const auto last = static_cast<int32_t>(metrics::divided(result.source, Division::kTokenized).size()) - 1;
    EXPECT_EQ(result.links.back(), (text::Link{last, last}));
  }
}

TEST(WithTags, WithoutLinksTheModifierChangesNothing) {
  Draws draws(1);
  EXPECT_EQ(changed({ModifierKind::kTags, 1}, std::vector{kPair}, draws), std::nullopt);
  Draws again(1);
  const auto with = changed({ModifierKind::kTags, 1}, std::vector{kPair}, again, Division::kText);
  EXPECT_EQ(with, tagged(kPair, 1));
}

}  // namespace
}  // namespace ventris::modifiers
