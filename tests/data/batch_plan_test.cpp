#include "data/batch_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "core/error.h"
#include "support/errors.h"
#include "support/random_pairs.h"

namespace ventris::data {
namespace {

using test::random_pairs;

int64_t padded_tokens(const ParallelCorpus& corpus, const std::vector<uint32_t>& batch) {
  size_t longest = 0;
  for (const uint32_t pair : batch) {
    longest = std::max({longest, corpus.source(pair).size() + 1, corpus.target(pair).size() + 1});
  }
  return static_cast<int64_t>(longest * batch.size());
}

std::vector<int32_t> row_of(const std::vector<int32_t>& ids, size_t row, int64_t len) {
  const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(row) * len;
  return {begin, begin + len};
}

std::vector<int32_t> padded(std::vector<int32_t> ids, int64_t len) {
  ids.resize(static_cast<size_t>(len), 0);
  return ids;
}

Batch made_of(const PairStore& store, const std::vector<uint32_t>& pairs) {
  return PairBatchMaker().make(read_pairs(store, pairs));
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

TEST(BatchPlan, TheWindowsOfAnEpochHoldEveryPairOnce) {
  const auto corpus = random_pairs(5000, 12, 1);
  BatchOptions options{100, 0, 7};
  options.window = 2000;
  const BatchPlan plan(corpus, options);
  ASSERT_EQ(plan.windows(), 3U);
  for (uint64_t epoch = 0; epoch < 2; ++epoch) {
    std::multiset<uint32_t> seen;
    for (uint32_t window = 0; window < 3; ++window) {
      for (const auto& batch : plan.epoch(epoch, window)) {
        EXPECT_LE(padded_tokens(corpus, batch), 100);
        seen.insert(batch.begin(), batch.end());
      }
    }
    EXPECT_EQ(seen.size(), 5000U);
    EXPECT_EQ(std::set<uint32_t>(seen.begin(), seen.end()).size(), 5000U);
  }
  EXPECT_NE(plan.epoch(0, 1), plan.epoch(0, 2));
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

// A checkpoint names a batch by its place: who changes the order changes what a run of an earlier version goes on with,
// and says so in CHANGELOG.
TEST(BatchPlan, TheOrderIsTheOneThatCheckpointsCountIn) {
  ASSERT_EQ(kOrderVersion, 2) << "and is raised together with the numbers below";
  ParallelCorpus corpus;
  for (size_t i = 0; i < 12; ++i) corpus.add(std::vector<int32_t>(1 + i % 3, 5), std::vector<int32_t>(1 + i % 2, 5));
  const BatchPlan plan(corpus, {8, 0, 42});
  using Batches = std::vector<std::vector<uint32_t>>;
  EXPECT_EQ(plan.epoch(0), (Batches{{5, 11}, {0, 6}, {10, 4}, {2, 8}, {7, 1}, {3, 9}}));
  EXPECT_EQ(plan.epoch(1), (Batches{{4, 10}, {3, 9}, {8, 2}, {0, 6}, {11, 5}, {1, 7}}));
}

TEST(BatchPlan, PairsOfEqualLengthMeetOthersInEachEpoch) {
  ParallelCorpus corpus;
  for (int i = 0; i < 64; ++i) corpus.add(std::vector<int32_t>(3, 5), std::vector<int32_t>(3, 5));
  const BatchPlan plan(corpus, {16, 0, 1});
  std::set<std::set<uint32_t>> companions;
  for (uint64_t epoch = 0; epoch < 8; ++epoch) {
    for (const auto& batch : plan.epoch(epoch)) {
      EXPECT_EQ(batch.size(), 4U);
      companions.insert(std::set<uint32_t>(batch.begin(), batch.end()));
    }
  }
  EXPECT_GT(companions.size(), 120U);  // of 128
}

TEST(BatchPlan, ShortAndLongBatchesAreMixed) {
  const auto corpus = random_pairs(3000, 40, 5);
  const auto batches = BatchPlan(corpus, {400, 0, 1}).epoch(0);
  size_t rises = 0;
  for (size_t i = 1; i < batches.size(); ++i) {
    rises += corpus.target(batches[i - 1][0]).size() < corpus.target(batches[i][0]).size();
  }
  EXPECT_GT(rises, batches.size() * 4 / 10);
  EXPECT_LT(rises, batches.size() * 6 / 10);
}

TEST(BatchPlan, ACorpusWithoutPairsIsAMistakeOfTheCaller) {
  const ParallelCorpus corpus;
  EXPECT_THROW(BatchPlan(corpus, {}), std::invalid_argument);
}

TEST(BatchPlan, PairsOfABatchHaveSimilarLengthsOnBothSides) {
  ParallelCorpus corpus;
  for (size_t i = 0; i < 20000; ++i) {
    const size_t source = 6 + i % 35, target = source + i % 11 - 5;
    corpus.add(std::vector<int32_t>(source, 5), std::vector<int32_t>(target, 5));
  }
  int64_t padded = 0, real = 0;
  for (const auto& batch : BatchPlan(corpus, {2000, 0, 1}).epoch(0)) {
    const Batch made = made_of(corpus, batch);
    padded += made.sentences * (made.src_len + made.tgt_len);
    real += made.target_tokens;
    for (const uint32_t pair : batch) real += static_cast<int64_t>(corpus.source(pair).size()) + 1;
  }
  EXPECT_LT(static_cast<double>(padded), 1.022 * static_cast<double>(real));
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

TEST(BatchPlan, LongSentencesCountForMoreWithALengthCost) {
  EXPECT_EQ(counted_tokens(10, 0), 10);
  EXPECT_EQ(counted_tokens(10, 0.05), 15);
  const auto corpus = random_pairs(300, 12, 3);
  BatchOptions options{200, 0, 1};
  options.length_cost = 0.1;
  size_t pairs = 0;
  for (const auto& batch : BatchPlan(corpus, options).epoch(0)) {
    int64_t longest = 0;
    for (const uint32_t pair : batch) {
      longest = std::max({longest, static_cast<int64_t>(corpus.source(pair).size()) + 1,
                          static_cast<int64_t>(corpus.target(pair).size()) + 1});
    }
    EXPECT_LE(static_cast<double>(batch.size()) * counted_tokens(longest, 0.1), 200);
    pairs += batch.size();
  }
  EXPECT_EQ(pairs, corpus.size());
}

TEST(BatchPlan, ASentenceThatCountsForMoreThanABatchIsRefusedWithWhatItCountsAs) {
  ParallelCorpus corpus;
  corpus.add(std::vector<int32_t>(9, 5), std::vector<int32_t>(3, 5));
  BatchOptions options{14, 0, 1};
  options.length_cost = 0.05;
  EXPECT_FAILS(BatchPlan(corpus, options), ConfigError,
               "the longest has 10 tokens with eos and counts as 15; raise this setting or lower data.max_length");
  options.tokens = 15;
  EXPECT_NO_THROW(BatchPlan(corpus, options));
}

TEST(PairBatchMaker, PadsOnlyAtTheEndAndCountsWhatIsReal) {
  ParallelCorpus corpus;
  corpus.add(std::vector<int32_t>{10, 11}, std::vector<int32_t>{20, 21, 22});
  corpus.add(std::vector<int32_t>{12}, std::vector<int32_t>{23});
  const Batch batch = made_of(corpus, {0, 1});
  EXPECT_EQ(batch.sentences, 2);
  EXPECT_EQ(batch.src_len, 3);
  EXPECT_EQ(batch.tgt_len, 4);
  EXPECT_EQ(batch.source, (std::vector<int32_t>{10, 11, 3, 12, 3, 0}));
  EXPECT_EQ(batch.target_in, (std::vector<int32_t>{2, 20, 21, 22, 2, 23, 0, 0}));
  EXPECT_EQ(batch.target_out, (std::vector<int32_t>{20, 21, 22, 3, 23, 3, 0, 0}));
  EXPECT_EQ(batch.target_tokens, 6);
}

TEST(PairBatchMaker, MarksOfACorpusAreAroundSourcesAndBeforeTargets) {
  ParallelCorpus corpus;
  corpus.begin_part(0);
  corpus.add(std::vector<int32_t>{10}, std::vector<int32_t>{20, 21});
  corpus.begin_part(0);
  corpus.add(std::vector<int32_t>{12}, std::vector<int32_t>{});
  const std::vector<uint32_t> both{0, 1};
  const PairBatchMaker maker({}, nullptr, {{{7, 8}, {9}, {6}}, {{}, {}, {5}}});
  const Batch batch = maker.make(read_pairs(corpus, both), {corpus, both});
  EXPECT_EQ(batch.source, (std::vector<int32_t>{7, 8, 10, 3, 9, 12, 3, 0, 0, 0}));
  EXPECT_EQ(batch.target_in, (std::vector<int32_t>{2, 6, 20, 21, 2, 5, 0, 0}));
  EXPECT_EQ(batch.target_out, (std::vector<int32_t>{6, 20, 21, 3, 5, 3, 0, 0}));
  EXPECT_EQ(batch.target_tokens, 6);
  const std::vector<uint32_t> second{1};
  EXPECT_EQ(maker.make(read_pairs(corpus, second), {corpus, second}).source, (std::vector<int32_t>{12, 3}));
}

TEST(BatchPlan, MarksCountInTheBudget) {
  const auto corpus = random_pairs(200, 9, 3);
  BatchOptions options{40, 0, 1};
  options.marks = 2;
  for (const auto& batch : BatchPlan(corpus, options).epoch(0)) {
    EXPECT_LE(padded_tokens(corpus, batch) + static_cast<int64_t>(2 * batch.size()), 40);
  }
  options.tokens = 11;
  EXPECT_FAILS(BatchPlan(corpus, options), ConfigError, "training.batch_tokens: a batch of 11 tokens is smaller than");
}

TEST(PairBatchMaker, WeightsAreThereIfOneIsNotOneAndCountTokens) {
  ParallelCorpus corpus;
  corpus.add({{10}, {20, 21, 22}, "", "", 1});
  corpus.add({{10}, {20}, "", "", 0.5F});
  const Batch both = made_of(corpus, {0, 1}), first = made_of(corpus, {0});
  EXPECT_EQ(both.weights, (std::vector<float>{1, 0.5F}));
  EXPECT_EQ(both.target_weight, 5);
  EXPECT_EQ(both.target_tokens, 6);
  EXPECT_TRUE(first.weights.empty());
  EXPECT_EQ(first.target_weight, 4);
}

TEST(PairBatchMaker, TakesEveryPairBackOutOfItsRows) {
  const core::SpecialIds ids{0, 1, 2, 3};
  const auto corpus = random_pairs(200, 20, 6);
  for (const auto& pairs : BatchPlan(corpus, {150, 0, 1}).epoch(0)) {
    const Batch batch = made_of(corpus, pairs);
    int64_t target_tokens = 0;
    for (size_t row = 0; row < pairs.size(); ++row) {
      const auto source = corpus.source(pairs[row]), target = corpus.target(pairs[row]);
      std::vector<int32_t> src(source.begin(), source.end()), out(target.begin(), target.end()), in{ids.bos};
      in.insert(in.end(), out.begin(), out.end());
      src.push_back(ids.eos);
      out.push_back(ids.eos);
      target_tokens += static_cast<int64_t>(out.size());
      EXPECT_EQ(row_of(batch.source, row, batch.src_len), padded(src, batch.src_len));
      EXPECT_EQ(row_of(batch.target_in, row, batch.tgt_len), padded(in, batch.tgt_len));
      EXPECT_EQ(row_of(batch.target_out, row, batch.tgt_len), padded(out, batch.tgt_len));
    }
    EXPECT_EQ(batch.target_tokens, target_tokens);
  }
}

TEST(PairBatchMaker, OfNoPairsIsEmpty) {
  const Batch batch = made_of(random_pairs(3, 5, 1), {});
  EXPECT_EQ(batch.sentences, 0);
  EXPECT_EQ(batch.target_tokens, 0);
  EXPECT_TRUE(batch.source.empty());
}

TEST(SplitPairs, PartsHaveAboutEqualPaddedSize) {
  const auto corpus = random_pairs(4000, 60, 7);
  for (const auto& pairs : BatchPlan(corpus, {4000, 0, 1}).epoch(0)) {
    int64_t least = padded_tokens(corpus, pairs), most = 0;
    for (const auto& part : split_pairs(pairs, 2)) {
      least = std::min(least, padded_tokens(corpus, part));
      most = std::max(most, padded_tokens(corpus, part));
    }
    const int64_t one_sentence = 61;
    EXPECT_LE(most - least, most / 10 + one_sentence);
  }
}

TEST(SplitPairs, NoPartsAreAMistakeOfTheCaller) { EXPECT_THROW(split_pairs({1, 2}, 0), std::invalid_argument); }

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
