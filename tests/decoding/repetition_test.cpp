#include "decoding/repetition.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/error.h"
#include "decoding/search.h"
#include "support/errors.h"
#include "support/table_scorer.h"

namespace ventris::decoding {
namespace {

using test::Ids;
using test::only;
using test::TableScorer;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// Pairs of id and factor.
std::vector<std::pair<int32_t, float>> penalties_of(const Ids& target, const RepetitionOptions& options) {
  std::vector<std::pair<int32_t, float>> found;
  for (const Penalty& penalty : repetition_penalties(target, options)) found.emplace_back(penalty.id, penalty.factor);
  return found;
}

using Expected = std::vector<std::pair<int32_t, float>>;

TEST(RepetitionPenalties, NothingSpeaksAgainstAnythingUnlessAsked) {
  EXPECT_TRUE(repetition_penalties(Ids{5, 5, 5}, {}).empty());
  EXPECT_FALSE(RepetitionOptions{}.any());
}

TEST(RepetitionPenalties, WhatWouldCompleteAnNgramASecondTimeIsForbidden) {
  EXPECT_EQ(penalties_of({5, 6, 7, 5, 6}, {3, 1.0}), (Expected{{7, kInfinity}}));
  EXPECT_EQ(penalties_of({5, 6, 5, 8, 5}, {2, 1.0}), (Expected{{6, kInfinity}, {8, kInfinity}}));
  EXPECT_EQ(penalties_of({5, 6, 5}, {1, 1.0}), (Expected{{5, kInfinity}, {6, kInfinity}}));
  EXPECT_EQ(penalties_of({5, 5}, {2, 1.0}), (Expected{{5, kInfinity}}));
  EXPECT_TRUE(penalties_of({5, 6}, {3, 1.0}).empty());
  EXPECT_TRUE(penalties_of({}, {1, 1.0}).empty());
}

TEST(RepetitionPenalties, TokensThatAreThereCountLessAndForbiddenOnesStayForbidden) {
  EXPECT_EQ(penalties_of({9, 5, 9}, {0, 1.5}), (Expected{{5, 1.5F}, {9, 1.5F}}));
  EXPECT_EQ(penalties_of({9, 5, 9}, {2, 1.5}), (Expected{{5, kInfinity}, {9, 1.5F}}));
}

TEST(RepetitionPenalties, AFactorIsFoundByItsId) {
  const auto penalties = repetition_penalties(Ids{9, 5}, {0, 2.0});
  EXPECT_EQ(factor_of(penalties, 5), 2.0F);
  EXPECT_EQ(factor_of(penalties, 9), 2.0F);
  EXPECT_EQ(factor_of(penalties, 7), 1.0F);
  EXPECT_EQ(factor_of({}, 7), 1.0F);
}

TEST(IsRepetitive, ThreeTimesTheSameInARowAndSixTokensOrMore) {
  EXPECT_TRUE(is_repetitive(Ids{4, 4, 4, 4, 4, 4}));
  EXPECT_FALSE(is_repetitive(Ids{4, 4, 4, 4, 4}));
  EXPECT_TRUE(is_repetitive(Ids{9, 4, 5, 4, 5, 4, 5, 9}));
  EXPECT_FALSE(is_repetitive(Ids{4, 5, 4, 5, 4, 6}));
  EXPECT_TRUE(is_repetitive(Ids{4, 5, 6, 4, 5, 6, 4, 5, 6}));
  EXPECT_FALSE(is_repetitive(Ids{4, 5, 6, 7, 4, 5, 6, 7}));
  EXPECT_FALSE(is_repetitive({}));
}

/// A model in love with two tokens: 4 and 5 by turns, eos hardly ever.
TableScorer looping_scorer() {
  return {[](const Ids&, const Ids& prefix) {
            const bool even = prefix.size() % 2 == 0;
            return test::log_shares({1e-9, 1e-9, 1e-9, 0.02, even ? 0.7 : 0.1, even ? 0.1 : 0.7, 0.05, 0.05});
          },
          {2, 3, 8, 20},
          {0, 1, 2}};
}

Hypothesis search_one(TableScorer scorer, const SearchOptions& options, const Ids& prefix = {}) {
  const std::vector<Sentence> sentences{{{1, 1, 1}, prefix, 0}};
  return only(search(scorer, sentences, options)).front();
}

SearchOptions with_repetition(int32_t ngram, double penalty) {
  SearchOptions options;
  options.repetition = {ngram, penalty};
  return options;
}

bool repeats_ngram(const Ids& ids, size_t order) {
  std::set<Ids> seen;
  for (size_t i = 0; i + order <= ids.size(); ++i) {
    if (!seen.insert(Ids(ids.begin() + static_cast<int64_t>(i), ids.begin() + static_cast<int64_t>(i + order))).second)
      return true;
  }
  return false;
}

TEST(SearchRepetition, NoNgramComesTwiceInGreedyBeamOrSamples) {
  EXPECT_TRUE(repeats_ngram(search_one(looping_scorer(), {}).ids, 3));
  for (const int32_t order : {1, 2, 3, 4}) {
    for (const int32_t beam : {1, 4}) {
      SearchOptions options = with_repetition(order, 1.0);
      options.beam_size = options.n_best = beam;
      EXPECT_FALSE(repeats_ngram(search_one(looping_scorer(), options).ids, static_cast<size_t>(order)));
      options.sampling.enabled = true;
      const std::vector<Sentence> sentences{{{1, 1, 1}, {}, 0}};
      auto scorer = looping_scorer();
      for (const Hypothesis& drawn : only(search(scorer, sentences, options))) {
        EXPECT_FALSE(repeats_ngram(drawn.ids, static_cast<size_t>(order)));
      }
    }
  }
}

TEST(SearchRepetition, APenaltyMakesRoomForOtherTokens) {
  EXPECT_EQ(search_one(looping_scorer(), {}).ids, (Ids{4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4, 5, 4}));
  const Ids penalised = search_one(looping_scorer(), with_repetition(0, 12.0)).ids;
  EXPECT_EQ(std::set<int32_t>(penalised.begin(), penalised.end()), (std::set<int32_t>{4, 5, 6, 7}));
}

TEST(SearchRepetition, LogProbabilitiesAreTheModelsAndScoresCountThePenalty) {
  for (const bool sampling : {false, true}) {
    SearchOptions options = with_repetition(0, 2.0);
    options.sampling.enabled = sampling;
    options.length_alpha = 0;
    const Hypothesis found = search_one(looping_scorer(), options);
    Ids prefix;
    double log_prob = 0, score = 0;
    for (size_t i = 0; i < found.token_log_probs.size(); ++i) {
      const int32_t id = i < found.ids.size() ? found.ids[i] : 3;
      const double step = static_cast<double>(found.token_log_probs[i]);
      const bool there = std::find(prefix.begin(), prefix.end(), id) != prefix.end();
      log_prob += step;
      score += there ? 2 * step : step;
      prefix.push_back(id);
    }
    EXPECT_NEAR(found.log_prob, log_prob, 1e-6);
    EXPECT_NEAR(found.score, score, 1e-5);
    EXPECT_LT(found.score, found.log_prob);
  }
}

TEST(SearchRepetition, AForcedPrefixMayRepeatButCountsAsThere) {
  const Ids prefix{6, 6, 6, 6};
  const Hypothesis found = search_one(looping_scorer(), with_repetition(2, 1.0), prefix);
  EXPECT_EQ(Ids(found.ids.begin(), found.ids.begin() + 4), prefix);
  for (size_t i = 4; i < found.ids.size(); ++i) EXPECT_FALSE(found.ids[i - 1] == 6 && found.ids[i] == 6);
  const Hypothesis plain = search_one(looping_scorer(), {}, prefix);
  const Hypothesis penalised = search_one(looping_scorer(), with_repetition(0, 5.0), {6, 6});
  EXPECT_FLOAT_EQ(penalised.token_log_probs[1], plain.token_log_probs[1]);
}

TEST(SearchRepetition, WhenEverythingIsForbiddenTheTranslationIsCut) {
  const TableScorer two_words{
      [](const Ids&, const Ids&) { return test::log_shares({0, 0, 0, 0, 0.5, 0.5}); }, {2, 3, 6, 20}, {0, 1, 2}};
  const Hypothesis found = search_one(two_words, with_repetition(1, 1.0));
  EXPECT_EQ(found.ids, (Ids{4, 5}));
  EXPECT_TRUE(found.truncated);
}

TEST(SearchRepetition, SenselessSettingsAreNamed) {
  EXPECT_FAILS(check(with_repetition(-1, 1.0)), ConfigError, "no_repeat_ngram: must be 0 (off) or more, got -1");
  EXPECT_FAILS(check(with_repetition(0, 0.5)), ConfigError,
               "repetition_penalty: must be from 1 (none) to 100, got 0.5");
  EXPECT_FAILS(check(with_repetition(0, 101)), ConfigError, "repetition_penalty");
}

}  // namespace
}  // namespace ventris::decoding
