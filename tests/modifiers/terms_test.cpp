#include "modifiers/terms.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "modifiers/term_forms.h"
#include "text/term_marks.h"

namespace ventris::modifiers {
namespace {

using metrics::Division;

const TextPair kDogs{"The two dogs, here", "Hier sind zwei Hunde.", {{1, 2}, {2, 3}, {4, 0}}};

TextPair with_terms(const TextPair& pair, uint64_t seed, size_t most = 3, const TermForms* forms = nullptr,
                    Division division = Division::kText) {
  Draws draws(seed);
  return modifiers::with_terms(pair, most, draws, division, forms);
}

/// What is linked to what: "two" -> "zwei".
std::map<std::string, std::set<std::string>> links_of(const TextPair& pair, Division division) {
  const auto source = metrics::divided(pair.source, division), target = metrics::divided(pair.target, division);
  std::map<std::string, std::set<std::string>> found;
  for (const text::Link& link : pair.links) {
    found[std::string(source.at(static_cast<size_t>(link.source)))].emplace(
        target.at(static_cast<size_t>(link.target)));
  }
  return found;
}

/// The sources that these seeds give.
std::set<std::string> sources(const TextPair& pair, size_t most, const TermForms* forms = nullptr) {
  std::set<std::string> found;
  for (uint64_t seed = 0; seed < 500; ++seed) found.insert(with_terms(pair, seed, most, forms).source);
  return found;
}

TEST(WithTerms, ATermOfOneToThreeLinkedWordsIsFollowedByItsTranslation) {
  EXPECT_EQ(
      sources(kDogs, 1),
      (std::set<std::string>{"The two<term> zwei</term> dogs, here", "The two dogs<term> Hunde</term>, here",
                             "The two dogs<term> zwei Hunde</term>, here", "The two dogs, here<term> Hier</term>"}));
}

TEST(WithTerms, ThereAreAtMostSoManyAndTheyDoNotOverlap) {
  size_t most = 0;
  for (const std::string& source : sources(kDogs, 3)) {
    size_t count = 0;
    for (size_t at = source.find(text::kTermBegin); at != std::string::npos; at = source.find(text::kTermBegin, at + 1))
      ++count;
    most = std::max(most, count);
    EXPECT_EQ(source.find("</term><term>"), std::string::npos) << source;
  }
  EXPECT_EQ(most, 3U);
}

TEST(WithTerms, TheTargetStaysAndTheTranslationIsLinkedToItsWords) {
  const TextPair pair{"old dogs", "alte Hunde", {{0, 0}, {1, 1}}};
  for (uint64_t seed = 0; seed < 50; ++seed) {
    for (const Division division : {Division::kText, Division::kTokenized}) {
      const TextPair result = with_terms(pair, seed, 1, nullptr, division);
      EXPECT_EQ(result.target, pair.target);
      if (result.source != "old dogs<term> Hunde</term>") continue;
      const bool whole = division == Division::kTokenized;
      const auto expected = std::map<std::string, std::set<std::string>>{
          {"old", {"alte"}}, {whole ? "dogs<term>" : "dogs", {"Hunde"}}, {whole ? "Hunde</term>" : "Hunde", {"Hunde"}}};
      EXPECT_EQ(links_of(result, division), expected);
    }
  }
}

TEST(WithTerms, WordsWithoutATranslationOfTheirOwnAreNoTerms) {
  for (const TextPair& pair : {TextPair{"a b", "c d", {}}, TextPair{"a b", "c", {{0, 0}, {1, 0}}},
                               TextPair{". b", ". d", {{0, 0}}}, TextPair{"a<term> c</term>", "c", {{0, 0}}},
                               TextPair{"a", "c </term>", {{0, 0}}}, TextPair{"a", "c", {{7, 9}}}}) {
    EXPECT_EQ(with_terms(pair, 1), pair);
  }
}

TEST(WithTerms, TheTranslationMayBeInAnotherFormOfTheCorpus) {
  TermForms forms;
  for (int i = 0; i < 3; ++i) {
    forms.add({"dog", "Hund", {{0, 0}}}, Division::kText);
    forms.add({"Dogs", "Hunde", {{0, 0}}}, Division::kText);
    forms.add({"dogs", "Hunden", {{0, 0}}}, Division::kText);
    forms.add({"dogs", "Tiere", {{0, 0}}}, Division::kText);
  }
  forms.add({"dogs", "Hundes", {{0, 0}}}, Division::kText);  // once
  forms.finish();
  EXPECT_EQ(sources({"dogs", "Hunde", {{0, 0}}}, 1, &forms),
            (std::set<std::string>{"dogs<term> Hunde</term>", "dogs<term> Hunden</term>"}));
  EXPECT_EQ(sources({"cats", "Katzen", {{0, 0}}}, 1, &forms), (std::set<std::string>{"cats<term> Katzen</term>"}));
}

}  // namespace
}  // namespace ventris::modifiers
