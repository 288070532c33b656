#include "decoding/hypotheses.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <utility>

#include "core/error.h"
#include "support/errors.h"

namespace ventris::decoding {
namespace {

using Ids = std::vector<int32_t>;
using Row = std::vector<std::pair<int32_t, float>>;  // continuations with their log-probabilities, best first
constexpr int32_t kBos = 2, kEos = 3;

class HypothesesTest : public testing::Test {
 protected:
  void begin(int32_t beam_size, int32_t n_best = 1, double length_alpha = 0.0, int64_t max_length = 10) {
    options.beam_size = beam_size;
    options.n_best = n_best;
    options.length_alpha = length_alpha;
    hypotheses.emplace(sentence, options, max_length);
    hypotheses->start(0);
  }

  void begin_draws(int32_t draws) {
    options.sampling.enabled = true;
    begin(1, draws);
  }

  /// One step; row i belongs to the i-th live hypothesis.
  void extend(const std::vector<Row>& rows) {
    size_t width = 0;
    for (const Row& row : rows) width = std::max(width, row.size());
    Ids ids;
    std::vector<float> log_probs;
    for (Row row : rows) {
      row.resize(width, {-1, -std::numeric_limits<float>::infinity()});
      for (const auto& [id, log_prob] : row) {
        ids.push_back(id);
        log_probs.push_back(log_prob);
      }
    }
    for (size_t i = 0; i < hypotheses->live().size(); ++i) hypotheses->live()[i].row = static_cast<int32_t>(i);
    hypotheses->extend({ids, log_probs}, width, kEos);
  }

  /// Newest tokens of those under way.
  Ids last_ids() {
    Ids ids;
    for (const auto& live : hypotheses->live()) ids.push_back(hypotheses->last_id(live, kBos));
    return ids;
  }

  Sentence sentence{{7, 8}, {}, 5};
  SearchOptions options;
  std::optional<Hypotheses> hypotheses;
};

TEST_F(HypothesesTest, OneBeginsAtBosInTheRowOfItsSentence) {
  hypotheses.emplace(sentence, options, 10);
  EXPECT_TRUE(hypotheses->live().empty());
  hypotheses->start(4);
  ASSERT_EQ(hypotheses->live().size(), 1U);
  EXPECT_EQ(hypotheses->live()[0].row, 4);
  EXPECT_EQ(last_ids(), Ids{kBos});
  EXPECT_TRUE(hypotheses->results().empty());
}

TEST_F(HypothesesTest, WithSamplingEachDrawBeginsItsOwn) {
  begin_draws(3);
  ASSERT_EQ(hypotheses->live().size(), 3U);
  for (int32_t draw = 0; draw < 3; ++draw) EXPECT_EQ(hypotheses->live()[static_cast<size_t>(draw)].draw, draw);
  EXPECT_EQ(hypotheses->places(), 3U);
}

TEST_F(HypothesesTest, ContinuationsAreReadFromTheRowOfTheHypothesis) {
  begin(2);
  hypotheses->live()[0].row = 1;
  const Ids ids{0, 1, 5, 6};
  const std::vector<float> log_probs{-1, -2, -3, -4};
  hypotheses->extend({ids, log_probs}, 2, kEos);
  EXPECT_EQ(last_ids(), (Ids{5, 6}));
}

TEST_F(HypothesesTest, TheBestContinuationsOfAllParentsGoOn) {
  begin(2);
  extend({{{0, -1}, {1, -2}}});
  extend({{{4, -3}, {5, -4}}, {{6, -0.5F}, {7, -9}}});
  EXPECT_EQ(last_ids(), (Ids{6, 4}));
  EXPECT_EQ(hypotheses->live()[0].log_prob, -2.5);
  EXPECT_EQ(hypotheses->live()[0].row, 1);  // its parent's, for the scorer to follow
  EXPECT_EQ(hypotheses->live()[1].row, 0);
}

TEST_F(HypothesesTest, AFinishedOneTakesAPlace) {
  begin(3, 3);
  EXPECT_EQ(hypotheses->places(), 3U);
  extend({{{kEos, -1}, {0, -2}, {1, -3}}});
  EXPECT_EQ(hypotheses->places(), 2U);
  EXPECT_EQ(last_ids(), (Ids{0, 1}));
}

TEST_F(HypothesesTest, ResultsAreSortedAndNoMoreThanAskedFor) {
  begin(3, 2);
  extend({{{kEos, -1}, {0, -1.5F}, {4, -2}}});
  extend({{{kEos, -1}}, {{kEos, -0.25F}}});
  const auto results = hypotheses->results();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].ids, Ids{});
  EXPECT_EQ(results[1].ids, Ids{4});  // -2.25; the third is 0 with -2.5
  EXPECT_EQ(results[1].token_log_probs, (std::vector<float>{-2, -0.25F}));
  EXPECT_EQ(results[1].log_prob, -2.25);
  EXPECT_FALSE(results[1].truncated);
}

TEST_F(HypothesesTest, AtTheGreatestLengthWhatIsUnderWayIsCut) {
  begin(2, 2, 0.0, 2);
  extend({{{0, -1}, {1, -2}}});
  extend({{{4, -1}}, {{kEos, -1}}});
  EXPECT_TRUE(hypotheses->live().empty());
  const auto results = hypotheses->results();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].ids, (Ids{0, 4}));
  EXPECT_TRUE(results[0].truncated);
  EXPECT_EQ(results[0].token_log_probs.size(), 2U);
  EXPECT_EQ(results[1].ids, Ids{1});  // eos as the last token allowed is an end like any
  EXPECT_FALSE(results[1].truncated);
}

TEST_F(HypothesesTest, TheScoreIsDividedByAPowerOfTheLengthWithEos) {
  for (const double alpha : {0.0, 0.5, 1.0}) {
    begin(1, 1, alpha);
    extend({{{0, -1}}});
    extend({{{kEos, -2}}});
    EXPECT_DOUBLE_EQ(hypotheses->results().at(0).score, -3 / std::pow(2.0, alpha));
    EXPECT_EQ(hypotheses->results().at(0).log_prob, -3);
  }
}

TEST_F(HypothesesTest, OneThatCannotBeatTheWorstKeptIsDropped) {
  begin(2, 1, 0.0);
  extend({{{kEos, -1}, {0, -1}}});
  EXPECT_TRUE(hypotheses->live().empty());
  begin(3, 2, 0.0);
  extend({{{kEos, -1}, {0, -2}}});
  EXPECT_EQ(last_ids(), Ids{0});  // a second result is wanted
}

TEST_F(HypothesesTest, OneThatLengthMayStillLiftGoesOn) {
  begin(2, 1, 1.0, 10);
  extend({{{kEos, -1}, {0, -9.5F}}});  // at best -9.5 / 10
  EXPECT_EQ(last_ids(), Ids{0});
  begin(2, 1, 1.0, 10);
  extend({{{kEos, -1}, {0, -10}}});
  EXPECT_TRUE(hypotheses->live().empty());
}

TEST_F(HypothesesTest, ThePrefixIsForcedTokenByToken) {
  sentence.prefix = {4, 6};
  begin(2);
  EXPECT_EQ(hypotheses->forced_id(), 4);
  extend({{{4, -5}}});
  EXPECT_EQ(hypotheses->forced_id(), 6);
  extend({{{6, -5}}});
  EXPECT_EQ(hypotheses->forced_id(), -1);
}

TEST_F(HypothesesTest, WhatIsGivenCostsNothingAndIsNotInTheResult) {
  sentence.prefix = {4, 6};
  sentence.given = 1;
  begin(2, 1, 1.0);
  extend({{{4, -5}}});
  extend({{{6, -3}}});
  extend({{{kEos, -1}}});
  const auto results = hypotheses->results();
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].ids, Ids{6});
  EXPECT_EQ(results[0].token_log_probs, (std::vector<float>{-3, -1}));
  EXPECT_EQ(results[0].log_prob, -4);
  EXPECT_EQ(results[0].score, normalise(-4, 3, options.length_alpha)) << "it counts in the length";
}

TEST_F(HypothesesTest, TokensThatWereGivenDoNotCountTowardsTheMinimumLength) {
  options.min_length = 1;
  sentence.prefix = {8};
  sentence.given = 1;
  begin(1);
  for (int step = 0; step < 2; ++step) {
    EXPECT_TRUE(hypotheses->forbids_eos(hypotheses->live().front())) << step;
    extend({{{8, -1}}});
  }
  EXPECT_FALSE(hypotheses->forbids_eos(hypotheses->live().front()));
}

TEST_F(HypothesesTest, EosIsForbiddenUntilTheMinimumLength) {
  begin(1);
  EXPECT_FALSE(hypotheses->forbids_eos(hypotheses->live().front()));
  options.min_length = 2;
  begin(1);
  for (int step = 0; step < 2; ++step) {
    EXPECT_TRUE(hypotheses->forbids_eos(hypotheses->live().front()));
    extend({{{0, -1}}});
  }
  EXPECT_FALSE(hypotheses->forbids_eos(hypotheses->live().front()));
}

TEST_F(HypothesesTest, NoiseIsDecidedBySeedSentenceDrawAndStep) {
  const auto noise = [&](uint64_t seed, uint64_t number, size_t draw, int steps) {
    options.seed = seed;
    sentence.number = number;
    begin_draws(2);
    for (int step = 0; step < steps; ++step) extend({{{0, -1}}, {{1, -1}}});
    return hypotheses->noise(hypotheses->live()[draw]);
  };
  EXPECT_EQ(noise(1, 5, 0, 0), noise(1, 5, 0, 0));
  const std::set<double> all{noise(1, 5, 0, 0), noise(2, 5, 0, 0), noise(1, 6, 0, 0), noise(1, 5, 1, 0),
                             noise(1, 5, 0, 1)};
  EXPECT_EQ(all.size(), 5U);
  EXPECT_TRUE(*all.begin() >= 0 && *all.rbegin() < 1);
}

TEST_F(HypothesesTest, DrawsGoTheirOwnWaysHoweverTheyScore) {
  begin_draws(2);
  extend({{{kEos, -0.1F}}, {{6, -20}}});
  ASSERT_EQ(last_ids(), Ids{6});
  EXPECT_EQ(hypotheses->live()[0].draw, 1);
  EXPECT_EQ(hypotheses->places(), 1U);
  extend({{{kEos, -20}}});
  ASSERT_EQ(hypotheses->results().size(), 2U);
  EXPECT_EQ(hypotheses->results()[1].ids, Ids{6});
}

TEST_F(HypothesesTest, WithoutAnyContinuationWhatIsThereIsTheResult) {
  begin(2, 2);
  extend({{{0, -1}, {1, -2}}});
  extend({{{-1, -1}}, {{-1, -1}}});
  const auto results = hypotheses->results();
  ASSERT_EQ(results.size(), 2U);
  EXPECT_EQ(results[0].ids, Ids{0});
  EXPECT_EQ(results[1].ids, Ids{1});
  EXPECT_TRUE(results[0].truncated && results[1].truncated);
}

TEST_F(HypothesesTest, AScoreThatIsNotANumberIsRefusedInASampleToo) {
  begin_draws(2);
  EXPECT_FAILS(extend({{{0, -1}}, {{1, std::nanf("")}}}), ModelError, "a score that is not a number");
}

}  // namespace
}  // namespace ventris::decoding
