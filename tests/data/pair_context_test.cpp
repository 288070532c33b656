#include "data/pair_context.h"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

#include "data/corpus.h"
#include "data/prefetcher.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

using Ids = std::vector<int32_t>;

/// Pair i has i % 4 + 1 source ids and one target id, all over 10 * i; documents have `size` pairs. With a tag of one
/// id.
ParallelCorpus corpus_of(uint32_t pairs, uint32_t size) {
  ParallelCorpus corpus;
  corpus.begin_part(1);
  for (uint32_t i = 0; i < pairs; ++i) {
    SentencePair pair;
    pair.source = {4};
    for (uint32_t k = 0; k <= i % 4; ++k) pair.source.push_back(static_cast<int32_t>(10 * i + 10 + k));
    pair.target = {static_cast<int32_t>(10 * i + 19)};
    pair.preceding = i % size;
    corpus.add(pair);
  }
  return corpus;
}

PairContext::Rules rules_of(int64_t sentences, bool both = false) {
  PairContext::Rules rules;
  rules.sentences = sentences;
  rules.both = both;
  rules.source_separator = 7;
  rules.target_separator = 8;
  return rules;
}

SentencePair with_context(const PairContext& context, const PairStore& store, uint64_t number, uint64_t epoch = 0) {
  SentencePair pair = store.pair(number);
  context.put(context.of(store, number, epoch, pair), store.summary().place_of(number).tag_tokens, pair);
  return pair;
}

TEST(PairContext, TheSentencesBeforeStandBehindTheTagEachWithASeparator) {
  const ParallelCorpus corpus = corpus_of(12, 6);
  const SentencePair pair = with_context(PairContext(rules_of(2)), corpus, 2);
  EXPECT_EQ(pair.source, (Ids{4, 10, 7, 20, 21, 7, 30, 31, 32}));
  EXPECT_EQ(pair.target, Ids{39});
  EXPECT_EQ(pair.source_context, 5U);
  EXPECT_EQ(pair.target_context, 0U);
  const SentencePair both = with_context(PairContext(rules_of(2, true)), corpus, 2);
  EXPECT_EQ(both.source, pair.source);
  EXPECT_EQ(both.target, (Ids{19, 8, 29, 8, 39}));
  EXPECT_EQ(both.target_context, 4U);
}

TEST(PairContext, NoSentenceOfAnotherDocumentIsContext) {
  const ParallelCorpus corpus = corpus_of(12, 6);
  const PairContext context(rules_of(3));
  EXPECT_EQ(with_context(context, corpus, 6).source, corpus.pair(6).source);
  EXPECT_EQ(with_context(context, corpus, 7).source, (Ids{4, 70, 71, 72, 7, 80, 81, 82, 83}));
}

TEST(PairContext, WhatDoesNotFitIsLeftOutFromTheOldest) {
  const ParallelCorpus corpus = corpus_of(12, 12);
  PairContext::Rules rules = rules_of(3);
  for (const auto& [most, length] :
       {std::pair{100, 14}, {14, 14}, {13, 12}, {12, 12}, {11, 9}, {9, 9}, {8, 5}, {3, 5}}) {
    rules.max_length = most;
    EXPECT_EQ(with_context(PairContext(rules), corpus, 3).source.size(), static_cast<size_t>(length)) << most;
  }
}

TEST(PairContext, TheLengthsAreThoseOfThePairsWithTheirContext) {
  const ParallelCorpus corpus = corpus_of(300, 7);
  for (const bool both : {false, true}) {
    for (const int64_t sentences : {1, 3, 50}) {
      PairContext::Rules rules = rules_of(sentences, both);
      rules.single = 0.3;
      rules.max_length = 14;
      const PairContext context(rules);
      std::vector<uint32_t> numbers;
      for (uint32_t i = 0; i < 300; i += 1 + i % 3) numbers.push_back(i);
      numbers.insert(numbers.begin() + 50, numbers[50]);
      std::vector<PairLengths> lengths(numbers.size());
      corpus.lengths(numbers, lengths);
      context.add_lengths(corpus, 5, numbers, lengths);
      for (size_t i = 0; i < numbers.size(); ++i) {
        const SentencePair pair = with_context(context, corpus, numbers[i], 5);
        EXPECT_EQ(lengths[i].source, pair.source.size()) << numbers[i];
        EXPECT_EQ(lengths[i].target, pair.target.size()) << numbers[i];
      }
    }
  }
}

TEST(PairContext, AShareOfThePairsGetsNoneAndItIsDrawnAgainInEachEpoch) {
  const ParallelCorpus corpus = corpus_of(1000, 1000);
  PairContext::Rules rules = rules_of(1);
  rules.single = 0.25;
  const PairContext context(rules);
  int single = 0, changed = 0;
  for (uint64_t i = 1; i < 1000; ++i) {
    const bool first = with_context(context, corpus, i, 0).source_context == 0;
    single += first;
    changed += first != (with_context(context, corpus, i, 1).source_context == 0);
  }
  EXPECT_NEAR(single, 250, 45);   // over three standard deviations
  EXPECT_NEAR(changed, 375, 50);
}

/// Pairs of text in documents of 5.
ParallelCorpus text_corpus(const text::Tokenizer& tokenizer) {
  ParallelCorpus corpus;
  uint32_t number = 0;
  for (const std::string& line : test::tiny_text()) {
    SentencePair pair{tokenizer.encode(line), tokenizer.encode(line), line, line};
    pair.preceding = number++ % 5;
    corpus.add(pair);
  }
  return corpus;
}

TEST(PairContext, FromAnyPositionTheStepsAreThoseOfTheUninterruptedRun) {
  const text::Tokenizer tokenizer = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  const ParallelCorpus corpus = text_corpus(tokenizer);
  BatchOptions options{400, 0, 3};
  options.window = 80;  // of 216 pairs
  StepOptions how;
  PairContext::Rules rules = rules_of(2, true);
  rules.single = 0.3;
  rules.max_length = 60;
  how.context = std::make_shared<PairContext>(rules);
  how.sampler = std::make_shared<SubwordSampler>(tokenizer, tokenizer, SamplingOptions{0.2, true, true, 60});
  how.modifier = std::make_shared<PairModifier>(
      tokenizer, tokenizer, modifiers::Modifiers({{modifiers::ModifierKind::kMerge, 0.3}}, 3), CorpusFilter{60, 9});
  const auto maker = std::make_shared<PairBatchMaker>();
  Prefetcher whole(corpus, options, maker, how, {});
  std::vector<Step> steps{whole.next()};
  while (steps.back().next.epoch < 2) steps.push_back(whole.next());
  how.threads = 3;
  for (size_t start = 1; start < steps.size(); start += 7) {
    Prefetcher resumed(corpus, options, maker, how, steps[start - 1].next);
    const Step step = resumed.next();
    EXPECT_EQ(step.parts[0].source, steps[start].parts[0].source);
    EXPECT_EQ(step.parts[0].target_out, steps[start].parts[0].target_out);
  }
  for (const Step& step : steps) EXPECT_LE(std::max(step.parts[0].src_len, step.parts[0].tgt_len), 61);
}

}  // namespace
}  // namespace ventris::data
