#include "constraints/constraints.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/phrases.h"

namespace ventris::constraints {
namespace {

using test::borders_of;
using test::phrase_of;
using test::phrases_of;
using Ids = std::vector<int32_t>;

Progress after_all(const Constraints& constraints, const Ids& ids) {
  Progress progress;
  for (const int32_t id : ids) progress = constraints.after(progress, id);
  return progress;
}

/// Ids from 20 on continue words.
Constraints requiring(const std::vector<Ids>& phrases) { return {phrases_of(phrases), {}, borders_of(30, 20)}; }
Constraints forbidding(const std::vector<Ids>& phrases) { return {{}, phrases_of(phrases), borders_of(30, 20)}; }

TEST(Constraints, APhraseIsMetTokenByToken) {
  const Constraints constraints = requiring({{5, 6, 7}});
  EXPECT_EQ(constraints.tokens(), 3);
  const Ids ids{9, 5, 6, 7, 9};
  const Ids missing{3, 3, 2, 1, 0, 0};
  for (size_t count = 0; count <= ids.size(); ++count) {
    const Progress progress = after_all(constraints, Ids(ids.begin(), ids.begin() + static_cast<long>(count)));
    EXPECT_EQ(constraints.missing(progress), missing[count]) << count;
  }
}

TEST(Constraints, AnInterruptedPhraseBeginsAgain) {
  const Constraints constraints = requiring({{5, 6, 7}});
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 6, 9})), 3);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 6, 5})), 2);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 6, 9, 7})), 3);
}

TEST(Constraints, APhraseMayBeginInsideItsOwnBeginning) {
  const Constraints constraints = requiring({{5, 5, 6}});
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 5, 5})), 1);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 5, 5, 6})), 0);
}

TEST(Constraints, PhrasesMayOverlapAndContainEachOther) {
  const Constraints overlapping = requiring({{5, 6}, {6, 7}});
  EXPECT_EQ(overlapping.missing(after_all(overlapping, {5, 6, 7})), 0);
  const Constraints containing = requiring({{6}, {5, 6, 7}});
  EXPECT_EQ(containing.missing(after_all(containing, {5, 6})), 1);
  EXPECT_EQ(containing.missing(after_all(containing, {5, 6, 7})), 0);
}

TEST(Constraints, WhatIsMetStaysMet) {
  const Constraints constraints = requiring({{5}, {6, 7}});
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 9, 6})), 1);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 9, 6, 9})), 2);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 6, 7, 5, 6})), 0);
}

TEST(Constraints, AWordThatGoesOnIsNotThePhrase) {
  const Constraints constraints({phrase_of({5}, true), phrase_of({6}, false)}, {}, borders_of(30, 20));
  EXPECT_EQ(constraints.missing(after_all(constraints, {5})), 1);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 20})), 2);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 9, 20})), 1);
  EXPECT_EQ(constraints.missing(after_all(constraints, {6, 20})), 1);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 9, 5, 20})), 1);
}

TEST(Constraints, WantsToGoOnWithAPhraseOrToBeginOne) {
  const Constraints constraints = requiring({{7, 6}, {5}, {7, 8}});
  EXPECT_EQ(constraints.wanted({}), (Ids{5, 7}));
  EXPECT_EQ(constraints.wanted(after_all(constraints, {7})), (Ids{6, 8}));
  EXPECT_EQ(constraints.wanted(after_all(constraints, {7, 8})), (Ids{5, 7}));
  EXPECT_EQ(constraints.wanted(after_all(constraints, {7, 8, 5, 7, 6})), Ids());
}

TEST(Constraints, AWordMayFollowASignWithoutASpace) {
  PhraseGraph graph;
  graph.edges = {{{5, 2}, {4, 1}}, {{25, 2}}};  // ▁word, or ▁ and word
  graph.usual = {5};
  graph.inside = 1;
  auto borders = std::make_shared<Borders>(*borders_of(30, 20));
  borders->closes[9] = 1;
  const Constraints constraints({Phrase(graph)}, {}, borders);
  EXPECT_EQ(constraints.wanted(after_all(constraints, {8})), (Ids{5}));
  EXPECT_EQ(constraints.missing(after_all(constraints, {8, 25})), 1);
  EXPECT_EQ(constraints.wanted(after_all(constraints, {9})), (Ids{5}));
  EXPECT_EQ(constraints.missing(after_all(constraints, {9, 25})), 0);
  EXPECT_EQ(constraints.missing(after_all(constraints, {25})), 0);
  EXPECT_EQ(constraints.missing(after_all(constraints, {8, 4, 25})), 0);
  graph.anywhere = true;  // a sign
  const Constraints of_sign({Phrase(graph)}, {}, borders);
  EXPECT_EQ(of_sign.wanted(after_all(of_sign, {8})), (Ids{5, 25}));
  EXPECT_EQ(of_sign.missing(after_all(of_sign, {8, 25})), 0);
}

TEST(Constraints, TheLastTokenOfAForbiddenPhraseIsForbiddenAfterTheRest) {
  const Constraints constraints = forbidding({{5, 6, 7}, {8}, {5, 9}});
  EXPECT_EQ(constraints.forbidden({}), (Ids{8}));
  EXPECT_EQ(constraints.forbidden(after_all(constraints, {5})), (Ids{8, 9}));
  EXPECT_EQ(constraints.forbidden(after_all(constraints, {5, 6})), (Ids{7, 8}));
  EXPECT_EQ(constraints.forbidden(after_all(constraints, {5, 6, 5})), (Ids{8, 9}));
  EXPECT_EQ(constraints.forbidden(after_all(constraints, {5, 6, 6})), (Ids{8}));
  EXPECT_EQ(constraints.missing({}), 0);
}

TEST(Constraints, APhraseIsForbiddenInEverySegmentation) {
  PhraseGraph graph;
  graph.edges = {{{5, 3}, {6, 1}, {7, 2}}, {{21, 2}, {22, 3}}, {{23, 3}}};
  graph.usual = {5};
  const Constraints constraints({}, {Phrase(graph)}, borders_of(30, 20));
  EXPECT_EQ(constraints.forbidden({}), (Ids{5}));
  EXPECT_EQ(constraints.forbidden(after_all(constraints, {6})), (Ids{5, 22}));
  EXPECT_EQ(constraints.forbidden(after_all(constraints, {6, 21})), (Ids{5, 23}));
  EXPECT_EQ(constraints.forbidden(after_all(constraints, {7})), (Ids{5, 23}));
}

TEST(Constraints, ThereIsABitForEachRequiredPhrase) {
  EXPECT_EQ(requiring(std::vector<Ids>(kMostRequired, {5})).tokens(), static_cast<int32_t>(kMostRequired));
  EXPECT_THROW(requiring(std::vector<Ids>(kMostRequired + 1, {5})), std::invalid_argument);
}

/// Of each list of phrases, one is required.
Constraints requiring_one_of(const std::vector<std::vector<Ids>>& lists) {
  std::vector<Alternatives> all;
  for (const std::vector<Ids>& phrases : lists) all.push_back(phrases_of(phrases));
  return forbidding({}).with_required(std::move(all));
}

TEST(Constraints, OneOfSeveralAlternativesIsEnough) {
  const Constraints constraints = requiring_one_of({{{5, 6, 7}, {8}}, {{9}}});
  EXPECT_EQ(constraints.tokens(), 2);
  EXPECT_EQ(constraints.missing({}), 2);
  EXPECT_EQ(constraints.missing(after_all(constraints, {8})), 1);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 6, 7})), 1);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 6})), 2);
  EXPECT_EQ(constraints.missing(after_all(constraints, {8, 9})), 0);
  EXPECT_EQ(constraints.wanted({}), (Ids{5, 8, 9}));
  EXPECT_EQ(constraints.wanted(after_all(constraints, {5})), (Ids{6}));
  EXPECT_EQ(constraints.wanted(after_all(constraints, {8})), (Ids{9}));
}

TEST(Constraints, AnAlternativeMayGoOnAsALongerOne) {
  std::vector<Alternatives> forms{{phrase_of({5}, true), phrase_of({5, 20}, true)}};
  const Constraints constraints = forbidding({}).with_required(std::move(forms));
  EXPECT_EQ(constraints.missing(after_all(constraints, {5})), 0);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 20})), 0) << "the longer form";
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 21})), 1) << "another word";
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 20, 21})), 1);
  EXPECT_EQ(constraints.missing(after_all(constraints, {5, 9, 20})), 0);
  EXPECT_TRUE(constraints.wanted(after_all(constraints, {5})).empty());
}

TEST(Constraints, AnEmptyListOfAlternativesIsRefused) {
  EXPECT_THROW(requiring_one_of({{}}), std::invalid_argument);
  EXPECT_THROW(requiring_one_of(std::vector<std::vector<Ids>>(65, {{5}})), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::constraints
