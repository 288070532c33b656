#include "data/length_survey.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/random_pairs.h"

namespace ventris::data {
namespace {

using Counts = std::vector<uint64_t>;

uint64_t sum(const Counts& counts) { return std::accumulate(counts.begin(), counts.end(), uint64_t{0}); }

TEST(LengthSurvey, SayHowManySentencesHaveEachLength) {
  ParallelCorpus corpus;
  const std::vector<int32_t> one{4}, two{4, 5}, three{4, 5, 6};
  corpus.add(one, three);
  corpus.add(one, two);
  corpus.add(three, two);
  const LengthSurvey counts = survey_lengths(corpus);
  EXPECT_EQ(counts.pairs, 3U);
  EXPECT_EQ(counts.source, (Counts{0, 2, 0, 1}));
  EXPECT_EQ(counts.target, (Counts{0, 0, 2, 1}));
}

TEST(LengthSurvey, OfManyPairsCountsStretchesFromAllOver) {
  const auto corpus = test::random_pairs(10000, 20, 1);
  EXPECT_EQ(survey_lengths(corpus).pairs, 10000U);
  const LengthSurvey some = survey_lengths(corpus, 3000);
  EXPECT_EQ(some.pairs, 2 * 1024U);
  EXPECT_EQ(sum(some.source), some.pairs);
  EXPECT_EQ(sum(some.target), some.pairs);
}

TEST(LengthSurvey, OfNoPairsAreNone) { EXPECT_EQ(survey_lengths(ParallelCorpus()).pairs, 0U); }

}  // namespace
}  // namespace ventris::data
