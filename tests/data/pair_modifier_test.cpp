#include "data/pair_modifier.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "data/corpus.h"
#include "data/corpus_cache.h"
#include "data/prefetcher.h"
#include "support/temp_folder.h"
#include "support/tiny_text.h"

namespace ventris::data {
namespace {

using modifiers::Modifier;
using Kind = modifiers::ModifierKind;

const std::vector<Modifier> kAll{{Kind::kUpper, 0.1},       {Kind::kTitle, 0.1}, {Kind::kTypos, 0.15},
                                 {Kind::kPunctuation, 0.1}, {Kind::kEmoji, 0.1}, {Kind::kMerge, 0.2},
                                 {Kind::kCopy, 0.05}};

class PairModification : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    tokenizer =
        std::make_unique<text::Tokenizer>(test::tiny_tokenizer(text::TokenizerKind::kUnigram, /*byte_fallback=*/true));
  }
  static void TearDownTestSuite() { tokenizer.reset(); }

  static SentencePair pair_of(const std::string& source, const std::string& target) {
    return {tokenizer->encode(source), tokenizer->encode(target), source, target};
  }
  /// The tiny text with another target: each line's words twice.
  static ParallelCorpus tiny_corpus() {
    ParallelCorpus corpus;
    for (const std::string& line : test::tiny_text()) corpus.add(pair_of(line, line + " Yes, " + line));
    return corpus;
  }
  static PairModifier modifier_of(std::vector<Modifier> list, const CorpusFilter& limits = {}, uint64_t seed = 1) {
    return {*tokenizer, *tokenizer, modifiers::Modifiers(std::move(list), seed), limits};
  }
  /// The first pair after the only change.
  static std::pair<DrawnChange, SentencePair> first_after(const Modifier& modifier, const PairStore& store,
                                                          const CorpusFilter& limits = {}, uint64_t number = 0) {
    SentencePair pair = store.pair(number);
    const auto change = modifier_of({modifier}, limits).modify(store, number, 0, pair);
    return {change.value(), pair};
  }

  inline static std::unique_ptr<text::Tokenizer> tokenizer;
};

const std::shared_ptr<const BatchMaker> kPairBatches = std::make_shared<PairBatchMaker>();

StepOptions steps_with(std::vector<Modifier> list, const text::Tokenizer& tokenizer, int threads) {
  StepOptions how;
  how.threads = threads;
  how.modifier = std::make_shared<PairModifier>(tokenizer, tokenizer, modifiers::Modifiers(std::move(list), 3),
                                                CorpusFilter{150, 9});
  return how;
}

TEST_F(PairModification, FromAnyPositionTheStepsAreThoseOfTheUninterruptedRun) {
  const ParallelCorpus corpus = tiny_corpus();
  BatchOptions options{400, 0, 3};
  options.window = 80;  // of 216 pairs
  StepOptions how = steps_with(kAll, *tokenizer, 1);
  how.sampler = std::make_shared<SubwordSampler>(*tokenizer, *tokenizer, SamplingOptions{0.2});
  how.parts = 2;
  Prefetcher whole(corpus, options, kPairBatches, how, {});
  std::vector<Step> steps{whole.next()};
  while (steps.back().next.epoch < 2) steps.push_back(whole.next());
  how.threads = 3;
  for (size_t start = 1; start < steps.size(); start += 11) {
    Prefetcher resumed(corpus, options, kPairBatches, how, steps[start - 1].next);
    const Step step = resumed.next();
    for (size_t part = 0; part < 2; ++part) {
      EXPECT_EQ(step.parts[part].source, steps[start].parts[part].source);
      EXPECT_EQ(step.parts[part].target_out, steps[start].parts[part].target_out);
    }
  }
}

TEST_F(PairModification, TheTextDoesNotDependOnTheBatches) {
  const ParallelCorpus corpus = tiny_corpus();
  const auto rows = [&](int64_t tokens) {
    std::multiset<std::vector<int32_t>> all;
    Prefetcher steps(corpus, {tokens, 0, 3}, kPairBatches, steps_with(kAll, *tokenizer, 2), {});
    for (Step step = steps.next();; step = steps.next()) {
      for (const Batch& batch : step.parts) {
        for (int64_t row = 0; row < batch.sentences; ++row) {
          std::vector<int32_t> ids(batch.source.begin() + row * batch.src_len,
                                   batch.source.begin() + (row + 1) * batch.src_len);
          while (ids.back() == core::SpecialIds{}.pad) ids.pop_back();
          all.insert(ids);
        }
      }
      if (step.next.epoch > 0) return all;
    }
  };
  EXPECT_EQ(rows(300), rows(1000));
}

TEST_F(PairModification, BatchesKeepToTheirSizeAndHaveEachPairOnce) {
  const ParallelCorpus corpus = tiny_corpus();
  Prefetcher steps(corpus, {300, 0, 3}, kPairBatches, steps_with(kAll, *tokenizer, 1), {});
  int64_t pairs = 0;
  for (Step step = steps.next();; step = steps.next()) {
    const Batch& batch = step.parts[0];
    EXPECT_LE(batch.sentences * std::max(batch.src_len, batch.tgt_len), 300);
    pairs += batch.sentences;
    if (step.next.epoch > 0) break;
  }
  EXPECT_EQ(pairs, static_cast<int64_t>(corpus.size()));
}

TEST_F(PairModification, EpochsAndSeedsChangeOtherPairs) {
  const ParallelCorpus corpus = tiny_corpus();
  const auto changed = [&](uint64_t seed, uint64_t epoch) {
    std::vector<bool> which;
    for (size_t i = 0; i < corpus.size(); ++i) {
      SentencePair pair = corpus.pair(i);
      which.push_back(modifier_of({{Kind::kUpper, 0.3}}, {}, seed).modify(corpus, i, epoch, pair).has_value());
    }
    return which;
  };
  EXPECT_EQ(changed(1, 0), changed(1, 0));
  EXPECT_NE(changed(1, 0), changed(1, 1));
  EXPECT_NE(changed(1, 0), changed(2, 0));
}

TEST_F(PairModification, TheIdsAreThoseOfTheChangedText) {
  ParallelCorpus corpus;
  corpus.add(pair_of("a bridge", "the bridge"));
  const auto [change, pair] = first_after({Kind::kUpper, 1}, corpus);
  EXPECT_EQ(change.result, ChangeResult::kMade);
  EXPECT_EQ(pair.source, tokenizer->encode("A BRIDGE"));
  EXPECT_EQ(pair.target, tokenizer->encode("THE BRIDGE"));
  EXPECT_EQ(pair.source_text, "A BRIDGE");
}

TEST_F(PairModification, ATagStaysInItsPlace) {
  ParallelCorpus corpus;
  corpus.begin_part(2);
  for (const char* text : {"a bridge", "a boat"}) {
    SentencePair pair = pair_of(text, text);
    pair.source.insert(pair.source.begin(), {90, 91});
    corpus.add(pair);
  }
  for (const Kind kind : {Kind::kUpper, Kind::kMerge}) {
    const auto [change, pair] = first_after({kind, 1, 0.1, 2}, corpus);
    EXPECT_EQ(change.result, ChangeResult::kMade);
    std::vector<int32_t> expected{90, 91};
    const auto ids = tokenizer->encode(kind == Kind::kUpper ? "A BRIDGE" : "a bridge a boat");
    expected.insert(expected.end(), ids.begin(), ids.end());
    EXPECT_EQ(pair.source, expected);
  }
}

TEST_F(PairModification, AMergeStaysInItsCorpusAndTakesTheSmallestWeight) {
  ParallelCorpus corpus;
  for (int part = 0; part < 2; ++part) {
    corpus.begin_part(0);
    for (const char* text : {"One.", "Two."}) {
      SentencePair pair = pair_of(text, text);
      pair.weight = text[0] == 'O' ? 2.0F : 0.5F;
      corpus.add(pair);
    }
  }
  const Modifier merge{Kind::kMerge, 1, 0.1, 2};
  const auto [made, pair] = first_after(merge, corpus);
  EXPECT_EQ(made.result, ChangeResult::kMade);
  EXPECT_EQ(pair.source_text, "One. Two.");
  EXPECT_EQ(pair.weight, 0.5F);
  const auto [last, same] = first_after(merge, corpus, {}, 1);
  EXPECT_EQ(last.result, ChangeResult::kLength);
  EXPECT_EQ(same.source_text, "Two.");
}

TEST_F(PairModification, APairThatWouldNotPassTheFilterStaysAsItIs) {
  ParallelCorpus corpus;
  corpus.add(pair_of("the bridge likes the bridge", "bread"));
  corpus.add(pair_of("the bridge", "bread"));
  const auto tokens = static_cast<int64_t>(corpus.source(0).size());
  for (const Modifier& modifier : {Modifier{Kind::kUpper, 1}, Modifier{Kind::kMerge, 1, 0.1, 2}}) {
    const auto [change, pair] = first_after(modifier, corpus, {tokens, 9});
    EXPECT_EQ(change.result, ChangeResult::kLength);
    EXPECT_EQ(pair.source, corpus.pair(0).source);
    EXPECT_EQ(pair.source_text, corpus.pair(0).source_text);
  }
}

TEST_F(PairModification, AChangeThatTheTokenizerDoesNotKnowIsNotMade) {
  const auto plain = test::tiny_tokenizer(text::TokenizerKind::kUnigram);
  ParallelCorpus corpus;
  corpus.add({plain.encode("the bridge"), plain.encode("the bridge"), "the bridge", "the bridge"});
  SentencePair pair = corpus.pair(0);
  const PairModifier emoji(plain, plain, modifiers::Modifiers({{Kind::kEmoji, 1}}, 1), {});
  EXPECT_EQ(emoji.modify(corpus, 0, 0, pair).value().result, ChangeResult::kUnknown);
  EXPECT_EQ(pair.source_text, "the bridge");
  EXPECT_EQ(first_after({Kind::kEmoji, 1}, corpus).first.result, ChangeResult::kMade);  // as bytes
}

TEST_F(PairModification, ACacheGivesTheSamePairsAsMemory) {
  test::TempFolder folder;
  std::string lines;
  for (const std::string& line : test::tiny_text()) lines += line + "\t" + line + " Yes.\n";
  const CorpusSpec spec{{folder.file("pairs.tsv", lines), ""}};
  ReadOptions options;
  std::vector<CorpusCounts> counts;
  open_cache(folder.path("cache"), {&spec, 1}, *tokenizer, *tokenizer, options, counts);  // without texts
  options.keep_text = true;
  const auto cache = open_cache(folder.path("cache"), {&spec, 1}, *tokenizer, *tokenizer, options, counts);
  const auto memory = load_corpora({&spec, 1}, *tokenizer, *tokenizer, options, counts);
  const auto modifier = modifier_of(kAll);
  int made = 0;
  for (size_t i = 0; i < memory.size(); ++i) {
    SentencePair one = memory.pair(i), other = cache->pair(i);
    const auto change = modifier.modify(memory, i, 4, one);
    modifier.modify(*cache, i, 4, other);
    EXPECT_EQ(one.source, other.source);
    EXPECT_EQ(one.target_text, other.target_text);
    made += change && change->result == ChangeResult::kMade;
  }
  EXPECT_GT(made, 100);
}

}  // namespace
}  // namespace ventris::data
