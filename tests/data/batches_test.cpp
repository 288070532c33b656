#include "data/batches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/error.h"
#include "support/errors.h"
#include "support/random_pairs.h"

namespace ventris::data {
namespace {

using test::random_pairs;

int64_t padded_tokens(const ParallelCorpus& corpus, const std::vector<uint32_t>& batch) {
  size_t longest = 0;
  for (const uint32_t pair : batch) longest = std::max({longest, corpus.source(pair).size() + 1, corpus.target(pair).size() + 1});
  return static_cast<int64_t>(longest * batch.size());
}

TEST(BatchPlan, EveryPairIsInExactlyOneBatchOfAnEpochAndNoBatchIsOverTheBudget) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    const auto corpus = random_pairs(1 + seed * 13, 1 + seed, seed);
    const int64_t budget = 2 + static_cast<int64_t>(seed) * 5;
    const BatchPlan plan(corpus, {budget, 0, seed});
    for (uint64_t epoch = 0; epoch < 3; ++epoch) {
      std::multiset<uint32_t> seen;
      for (const auto& batch : plan.epoch(epoch)) {
        EXPECT_FALSE(batch.empty());
        EXPECT_LE(padded_tokens(corpus, batch), budget);
        seen.insert(batch.begin(), batch.end());
      }
      EXPECT_EQ(seen.size(), corpus.size());
      EXPECT_EQ(std::set<uint32_t>(seen.begin(), seen.end()).size(), corpus.size());
    }
  }
}

TEST(BatchPlan, AnEpochIsTheSameWheneverItIsAskedForAndAnotherEpochOrSeedDiffers) {
  const auto corpus = random_pairs(300, 12, 1);
  const BatchPlan plan(corpus, {100, 0, 7}), again(corpus, {100, 0, 7}), other(corpus, {100, 0, 8});
  const auto fifth = plan.epoch(5);
  plan.epoch(0);
  EXPECT_EQ(plan.epoch(5), fifth);
  EXPECT_EQ(again.epoch(5), fifth);
  EXPECT_NE(plan.epoch(6), fifth);
  EXPECT_NE(other.epoch(5), fifth);
}

TEST(BatchPlan, PairsOfABatchHaveSimilarLengths) {
  const auto corpus = random_pairs(5000, 40, 2);
  int64_t padded = 0, real = 0;
  for (const auto& batch : BatchPlan(corpus, {2000, 0, 1}).epoch(0)) {
    const Batch made = make_batch(corpus, batch, {});
    padded += made.sentences * made.tgt_len;
    real += made.target_tokens;
  }
  EXPECT_LT(static_cast<double>(padded), 1.05 * static_cast<double>(real));
}

TEST(BatchPlan, HonoursTheLimitOfSentences) {
  const auto corpus = random_pairs(100, 5, 3);
  for (const auto& batch : BatchPlan(corpus, {1000, 7, 1}).epoch(0)) EXPECT_LE(batch.size(), 7U);
}

TEST(BatchPlan, ABatchSmallerThanOneSentenceIsRefusedWithBothNumbers) {
  ParallelCorpus corpus;
  corpus.add(std::vector<int32_t>(9, 5), std::vector<int32_t>(3, 5));
  EXPECT_FAILS(BatchPlan(corpus, {9, 0, 1}), ConfigError,
               "training.batch_tokens: a batch of 9 tokens is smaller than one sentence: the longest has 10");
  EXPECT_NO_THROW(BatchPlan(corpus, {10, 0, 1}));
}

TEST(MakeBatch, PadsOnlyAtTheEndAndCountsWhatIsReal) {
  ParallelCorpus corpus;
  corpus.add(std::vector<int32_t>{10, 11}, std::vector<int32_t>{20, 21, 22});
  corpus.add(std::vector<int32_t>{12}, std::vector<int32_t>{23});
  const Batch batch = make_batch(corpus, {0, 1}, {});
  EXPECT_EQ(batch.sentences, 2);
  EXPECT_EQ(batch.src_len, 3);
  EXPECT_EQ(batch.tgt_len, 4);
  EXPECT_EQ(batch.source, (std::vector<int32_t>{10, 11, 3, 12, 3, 0}));
  EXPECT_EQ(batch.target_in, (std::vector<int32_t>{2, 20, 21, 22, 2, 23, 0, 0}));
  EXPECT_EQ(batch.target_out, (std::vector<int32_t>{20, 21, 22, 3, 23, 3, 0, 0}));
  EXPECT_EQ(batch.target_tokens, 6);
  EXPECT_EQ(batch.source_tokens, 5);
}

TEST(SplitPairs, PartsCoverTheBatchAndAreAboutEqual) {
  const auto corpus = random_pairs(400, 30, 4);
  for (const auto& pairs : BatchPlan(corpus, {600, 0, 1}).epoch(0)) {
    for (const int parts : {1, 2, 3, 8}) {
      const auto split = split_pairs(pairs, parts);
      ASSERT_EQ(split.size(), static_cast<size_t>(parts));
      std::vector<uint32_t> together;
      size_t least = pairs.size(), most = 0;
      for (const auto& part : split) {
        together.insert(together.end(), part.begin(), part.end());
        least = std::min(least, part.size());
        most = std::max(most, part.size());
      }
      EXPECT_LE(most - least, 1U);
      std::sort(together.begin(), together.end());
      auto expected = pairs;
      std::sort(expected.begin(), expected.end());
      EXPECT_EQ(together, expected);
    }
  }
}

}  // namespace
}  // namespace ventris::data
