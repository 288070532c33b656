#include "data/prefetcher.h"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

#include "core/error.h"
#include "support/errors.h"
#include "support/random_pairs.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

using test::random_pairs;

const std::shared_ptr<const BatchMaker> kPairs = std::make_shared<PairBatchMaker>();

TEST(Prefetcher, FromAnyPositionItGivesTheStepsOfTheUninterruptedRun) {
  const auto corpus = random_pairs(60, 8, 1);
  const BatchOptions options{50, 0, 3};
  Prefetcher whole(corpus, options, kPairs, {2}, {});
  std::vector<Step> steps;
  for (int i = 0; i < 40; ++i) steps.push_back(whole.next());
  EXPECT_GE(steps.back().next.epoch, 2U);
  for (const size_t start : {size_t{1}, size_t{7}, size_t{19}, size_t{30}}) {
    Prefetcher resumed(corpus, options, kPairs, {2}, steps[start - 1].next);
    for (size_t i = start; i < steps.size(); ++i) {
      const Step step = resumed.next();
      ASSERT_EQ(step.parts.size(), 2U);
      for (size_t part = 0; part < 2; ++part) {
        EXPECT_EQ(step.parts[part].source, steps[i].parts[part].source);
        EXPECT_EQ(step.parts[part].target_out, steps[i].parts[part].target_out);
      }
      EXPECT_EQ(step.next.epoch, steps[i].next.epoch);
      EXPECT_EQ(step.next.batch, steps[i].next.batch);
      EXPECT_EQ(step.target_tokens, steps[i].target_tokens);
    }
  }
}

TEST(Prefetcher, AlsoWithWindowsAndSamplingAnyPositionGivesTheSteps) {
  const auto tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  ParallelCorpus corpus;
  for (const std::string& line : test::tiny_text()) {
    const auto ids = tokenizer.encode(line);
    corpus.add({ids, ids, line, line, 1});
  }
  BatchOptions options{400, 0, 3};
  options.window = 80;  // of 216 pairs
  StepOptions how;
  how.parts = 2;
  how.sampler = std::make_shared<SubwordSampler>(tokenizer, tokenizer, SamplingOptions{0.2});
  Prefetcher whole(corpus, options, kPairs, how, {});
  std::vector<Step> steps{whole.next()};
  while (steps.back().next.epoch < 2) steps.push_back(whole.next());
  how.threads = 2;
  std::set<uint32_t> windows;
  for (size_t start = 1; start < steps.size(); ++start) {
    windows.insert(steps[start - 1].next.window);
    Prefetcher resumed(corpus, options, kPairs, how, steps[start - 1].next);
    EXPECT_EQ(resumed.next().parts[0].source, steps[start].parts[0].source);
  }
  EXPECT_EQ(windows.size(), 3U);
}

TEST(Prefetcher, AnEpochHoldsEveryTargetTokenOnce) {
  const auto corpus = random_pairs(100, 9, 2);
  Prefetcher steps(corpus, {64, 0, 1}, kPairs, {3}, {});
  int64_t tokens = 0;
  for (Step step = steps.next();; step = steps.next()) {
    tokens += step.target_tokens;
    if (step.next.epoch == 1) break;
  }
  EXPECT_EQ(tokens, corpus.summary().target_tokens + static_cast<int64_t>(corpus.size()));
}

TEST(Prefetcher, EachProcessMakesItsOwnPartsAlone) {
  const auto corpus = random_pairs(60, 8, 1);
  Prefetcher all(corpus, {50, 0, 3}, kPairs, {4}, {});
  Prefetcher first(corpus, {50, 0, 3}, kPairs, {4, 0, 2}, {}), second(corpus, {50, 0, 3}, kPairs, {4, 2, 2}, {});
  for (int i = 0; i < 20; ++i) {
    const Step whole = all.next(), own[] = {first.next(), second.next()};
    EXPECT_EQ(whole.target_tokens, own[0].target_tokens + own[1].target_tokens);
    for (size_t part = 0; part < 4; ++part) {
      ASSERT_EQ(own[part / 2].parts.size(), 2U);
      EXPECT_EQ(own[part / 2].parts[part % 2].source, whole.parts[part].source);
    }
    EXPECT_EQ(own[1].next.batch, whole.next.batch);
  }
}

TEST(Prefetcher, MorePartsThanPairsLeavesPartsEmpty) {
  const auto corpus = random_pairs(1, 5, 3);
  Prefetcher steps(corpus, {64, 0, 1}, kPairs, {4}, {});
  const Step step = steps.next();
  EXPECT_EQ(step.parts[0].sentences, 1);
  for (size_t part = 1; part < 4; ++part) EXPECT_EQ(step.parts[part].sentences, 0);
}

TEST(Prefetcher, AStartBehindTheLastBatchIsTheNextEpoch) {
  const auto corpus = random_pairs(20, 5, 5);
  Prefetcher behind(corpus, {32, 0, 1}, kPairs, {1}, {4, 1000}), next(corpus, {32, 0, 1}, kPairs, {1}, {5, 0});
  EXPECT_EQ(behind.next().parts[0].source, next.next().parts[0].source);
}

TEST(Prefetcher, WithoutRoomForStepsAheadItStillGivesThem) {
  const auto corpus = random_pairs(20, 5, 6);
  StepOptions none_ahead;
  none_ahead.ahead = 0;
  Prefetcher steps(corpus, {32, 0, 1}, kPairs, none_ahead, {});
  for (int i = 0; i < 5; ++i) EXPECT_GT(steps.next().target_tokens, 0);
}

TEST(Prefetcher, WhatGoesWrongInItsThreadIsThrownEachTimeAStepIsAskedFor) {
  const auto corpus = random_pairs(5, 5, 7);
  Prefetcher steps(corpus, {32, 0, 1}, kPairs, {/*parts=*/0}, {});
  EXPECT_THROW(steps.next(), std::invalid_argument);
  EXPECT_THROW(steps.next(), std::invalid_argument);
}

TEST(Prefetcher, WhatCannotBePlannedIsRefusedAtOnce) {
  const auto corpus = random_pairs(5, 5, 8);
  EXPECT_FAILS(Prefetcher(corpus, {1, 0, 1}, kPairs, {1}, {}), ConfigError, "training.batch_tokens");
  EXPECT_THROW(Prefetcher(ParallelCorpus(), {}, kPairs, {1}, {}), std::invalid_argument);
}

TEST(Prefetcher, CanBeGivenUpAtAnyTime) {
  const auto corpus = random_pairs(50, 5, 4);
  for (int taken = 0; taken < 4; ++taken) {
    StepOptions two_ahead;
    two_ahead.ahead = 2;
    Prefetcher steps(corpus, {32, 0, 1}, kPairs, two_ahead, {});
    for (int i = 0; i < taken; ++i) steps.next();
  }
}

}  // namespace
}  // namespace ventris::data
