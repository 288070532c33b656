#include "translation/text_scorer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "core/error.h"
#include "support/copy_model.h"
#include "support/errors.h"
#include "translation/translator.h"

namespace ventris::translation {
namespace {

test::TableFactory random_factory(const model::Package& package) {
  const auto info = test::info_of(package);
  return {test::random_table(info.vocab, 3, 4.0), info, test::Ids{0, 1, 2}};
}

std::vector<PairScore> scores_of(const std::vector<TextPair>& pairs, const TextScorerOptions& options = {},
                                 int64_t max_positions = 64) {
  const auto package = test::copying_package(max_positions);
  return TextScorer(package, random_factory(package), options).score(pairs);
}

/// A run over these pairs, and what it counted.
ScoreCounts counts_of(const TextScorer& scorer, const std::vector<TextPair>& pairs) {
  size_t next = 0;
  const auto source = [&](TextPair& pair) {
    if (next < pairs.size()) pair = pairs[next];
    return next++ < pairs.size();
  };
  return scorer.run(source, [] { return true; }, [](const PairScore&) {});
}

std::vector<TextPair> some_pairs() {
  const auto lines = test::tiny_text();
  std::vector<TextPair> pairs;
  for (size_t i = 0; i < 60; ++i) pairs.push_back({lines[3 * i], i % 9 == 4 ? "" : lines[2 * i + 1]});
  pairs[7].source = " \t";
  return pairs;
}

TEST(TextScorer, EachTokenHasTheModelsLogProbability) {
  const auto package = test::copying_package();
  const text::Tokenizer tokenizer(package.source_spm, "tiny");
  const auto table = test::random_table(test::info_of(package).vocab, 3, 4.0);
  const TextPair pair{"The driver likes bread.", "Nobody sees the bridge."};
  const PairScore score = scores_of({pair}).front();
  test::Ids source = tokenizer.encode(pair.source), prefix;
  source.push_back(3);
  test::Ids target = tokenizer.encode(pair.target);
  target.push_back(3);
  ASSERT_EQ(score.token_log_probs.size(), target.size());
  ASSERT_EQ(score.pieces.size(), target.size());
  double sum = 0;
  for (size_t i = 0; i < target.size(); ++i) {
    EXPECT_EQ(score.token_log_probs[i], table(source, prefix)[static_cast<size_t>(target[i])]);
    EXPECT_EQ(score.pieces[i], tokenizer.piece(target[i]));
    sum += static_cast<double>(score.token_log_probs[i]);
    prefix.push_back(target[i]);
  }
  EXPECT_DOUBLE_EQ(score.log_prob, sum);
  EXPECT_DOUBLE_EQ(score.score, sum);
  EXPECT_EQ(score.words, 5);
}

const std::string kSeparator = test::separating_word();

/// A model that has learnt context with this word as its separator.
std::vector<PairScore> scores_with_context(const TextPair& pair, bool both, int64_t context = 2,
                                           int64_t max_positions = 64) {
  auto package = test::copying_package(max_positions);
  package.config.context = {2, both, "\u2581" + kSeparator};
  TextScorerOptions options;
  options.context = context;
  return TextScorer(package, random_factory(package), options).score({pair});
}

/// What the model says of the tokens of the last target, with eos, for sentences that are joined by separators.
std::vector<float> log_probs_of(const std::vector<std::string>& sources, const std::vector<std::string>& targets) {
  const auto package = test::copying_package();
  const text::Tokenizer tokenizer(package.source_spm, "tiny");
  const auto table = test::random_table(test::info_of(package).vocab, 3, 4.0);
  const auto joined = [&](const std::vector<std::string>& sentences) {
    test::Ids all;
    for (const std::string& sentence : sentences) {
      const test::Ids ids = tokenizer.encode(sentence);
      if (!all.empty()) all.push_back(tokenizer.id_of("\u2581" + kSeparator));
      all.insert(all.end(), ids.begin(), ids.end());
    }
    all.push_back(3);
    return all;
  };
  const test::Ids source = joined(sources), target = joined(targets);
  const size_t scored = tokenizer.encode(targets.back()).size() + 1;
  test::Ids prefix;
  std::vector<float> found;
  for (const int32_t id : target) {
    if (prefix.size() + scored >= target.size()) found.push_back(table(source, prefix)[static_cast<size_t>(id)]);
    prefix.push_back(id);
  }
  return found;
}

TEST(TextScorer, ASourceGetsTheSentencesBeforeIt) {
  TextPair pair{"The bridge", "My sister"};
  pair.context = {{"likes", "a"}, {"The driver", "b"}, {" ", "c"}, {"bread.", "d"}};
  const auto found = [&](int64_t context) { return scores_with_context(pair, false, context)[0].token_log_probs; };
  EXPECT_EQ(found(2), log_probs_of({"bread.", "The bridge"}, {"My sister"})) << "a blank one counts, and adds nothing";
  pair.context.erase(pair.context.begin() + 2);
  EXPECT_EQ(found(2), log_probs_of({"The driver", "bread.", "The bridge"}, {"My sister"}));
  EXPECT_EQ(found(1), log_probs_of({"bread.", "The bridge"}, {"My sister"}));
  EXPECT_EQ(found(0), log_probs_of({"The bridge"}, {"My sister"}));
}

TEST(TextScorer, AModelThatAlsoWritesThemGetsTheirTranslationsWhichAreNotScored) {
  TextPair pair{"The bridge", "My sister"};
  pair.context = {{"The driver", "likes bread."}};
  const PairScore found = scores_with_context(pair, true)[0];
  EXPECT_EQ(found.token_log_probs, log_probs_of({"The driver", "The bridge"}, {"likes bread.", "My sister"}));
  EXPECT_EQ(found.words, 3);
  EXPECT_EQ(found.pieces.size(), found.token_log_probs.size());
}

TEST(TextScorer, SentencesThatDoNotFitIntoTheModelAreLeftOut) {
  TextPair pair{"Nobody sees the bridge.", "My sister"};
  const double alone = scores_of({pair})[0].log_prob;
  pair.context = {{"The driver likes bread.", "a"}};
  EXPECT_NE(scores_with_context(pair, false)[0].log_prob, alone);
  const auto package = test::copying_package();
  const auto own = std::ssize(text::Tokenizer(package.source_spm, "tiny").encode(pair.source));
  EXPECT_EQ(scores_with_context(pair, false, 2, own + 3)[0].log_prob, alone);
}

TEST(TextScorer, ContextThatTheModelHasNotLearntIsRefused) {
  EXPECT_FAILS(scores_with_context({"a", "b"}, false, 3), ConfigError, "context: must be from 0 (none) to 2, the most");
  TextScorerOptions options;
  options.context = 1;
  EXPECT_FAILS(scores_of({}, options), ConfigError, "has learnt to translate single sentences; leave it out");
}

TEST(TextScorer, TheScoreIsNormalisedAsASearchDoesIt) {
  TextScorerOptions options;
  options.length_alpha = 0.6;
  const PairScore score = scores_of({{"bread", "Nobody"}}, options).front();
  EXPECT_DOUBLE_EQ(score.score, score.log_prob / std::pow(static_cast<double>(score.pieces.size()), 0.6));
}

TEST(TextScorer, WhatASearchFoundHasTheScoreItFound) {
  const auto package = test::copying_package();
  TranslatorOptions searching;
  searching.search.beam_size = searching.search.n_best = 4;
  const auto factory = test::copy_factory(package);
  const std::vector<std::string> lines{"The driver likes bread.", "Nobody sees the bridge.", "My sister"};
  const auto found = Translator(package, factory, searching).translate(lines);
  TextScorerOptions options;
  options.length_alpha = searching.search.length_alpha;
  const text::Tokenizer tokenizer(package.target_spm, "tiny");
  int compared = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    for (const Candidate& candidate : found[i].candidates) {
      const PairScore score = TextScorer(package, *factory, options).score({{lines[i], candidate.text}}).front();
      if (candidate.truncated || score.pieces != candidate.pieces) continue;  // found with another segmentation
      EXPECT_NEAR(score.log_prob, candidate.log_prob, 1e-9);
      EXPECT_NEAR(score.score, candidate.score, 1e-9);
      ++compared;
    }
  }
  EXPECT_GE(compared, 6);
}

TEST(TextScorer, BatchesAndThreadsChangeNothing) {
  const auto once = scores_of(some_pairs());
  for (const int workers : {1, 3}) {
    TextScorerOptions options;
    options.batch.sentences = 4;
    options.window_lines = 11;
    options.workers = workers;
    const auto again = scores_of(some_pairs(), options);
    ASSERT_EQ(again.size(), once.size());
    for (size_t i = 0; i < once.size(); ++i) EXPECT_EQ(again[i].token_log_probs, once[i].token_log_probs);
  }
}

TEST(TextScorer, ThreadsThatShareItGetWhatTheyWouldGetAlone) {
  const auto package = test::copying_package();
  const auto pairs = some_pairs();
  const auto once = scores_of(pairs);
  TextScorerOptions options;
  options.batch.sentences = 4;
  options.workers = 2;
  const TextScorer shared(package, random_factory(package), options);
  std::vector<std::vector<PairScore>> together(5);
  std::vector<int64_t> counted(together.size());
  {
    std::vector<std::jthread> threads;
    for (size_t i = 0; i < together.size(); ++i) {
      threads.emplace_back([&, i] {
        together[i] = shared.score(pairs);
        counted[i] = counts_of(shared, pairs).pairs;
      });
    }
  }
  for (size_t i = 0; i < together.size(); ++i) {
    ASSERT_EQ(together[i].size(), once.size());
    EXPECT_EQ(counted[i], static_cast<int64_t>(once.size()));
    for (size_t j = 0; j < once.size(); ++j) EXPECT_EQ(together[i][j].token_log_probs, once[j].token_log_probs);
  }
}

TEST(TextScorer, ABlankSourceIsNotAskedAndABlankTargetIsItsEnd) {
  const auto scores = scores_of({{" \t", "bread"}, {"", ""}, {"bread", ""}});
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(scores[i].blank);
    EXPECT_EQ(scores[i].log_prob, 0);
    EXPECT_TRUE(scores[i].pieces.empty());
  }
  EXPECT_FALSE(scores[2].blank);
  EXPECT_EQ(scores[2].pieces, std::vector<std::string>{"</s>"});
  EXPECT_LT(scores[2].log_prob, 0);
}

TEST(TextScorer, PairsTheModelCannotTakeAreCutAndCounted) {
  std::string endless;
  for (int i = 0; i < 100; ++i) endless += "bread bridge ";
  const auto package = test::copying_package(12);
  TextScorer scorer(package, random_factory(package), {});
  const std::vector<TextPair> pairs{{"bread", "bread"}, {endless, "bread"}, {"bread", endless}, {"", "bread"}};
  const auto scores = scorer.score(pairs);
  EXPECT_FALSE(scores[0].source_cut || scores[0].target_cut);
  EXPECT_TRUE(scores[1].source_cut && !scores[1].target_cut);
  EXPECT_TRUE(!scores[2].source_cut && scores[2].target_cut);
  EXPECT_EQ(scores[2].token_log_probs.size(), 12U);
  EXPECT_NE(scores[2].pieces.back(), "</s>");
  EXPECT_LE(scores[2].words, 12) << "words that were not scored count";
  EXPECT_GE(scores[2].words, 1);
  const ScoreCounts counts = counts_of(scorer, pairs);
  EXPECT_EQ(counts.pairs, 4);
  EXPECT_EQ(counts.source_cut, 1);
  EXPECT_EQ(counts.target_cut, 1);
  EXPECT_EQ(counts.first_cut, 2);
  EXPECT_EQ(counts.blank, 1);
  EXPECT_EQ(counts.first_blank, 4);
}

TEST(TextScorer, TheCountsAreThoseOfAllPairs) {
  const auto package = test::copying_package();
  TextScorer scorer(package, random_factory(package), {});
  const std::vector<TextPair> pairs{{"bread", "Nobody sees bread."}, {"bread", ""}, {"", "bread"}};
  const auto scores = scorer.score(pairs);
  const ScoreCounts counts = counts_of(scorer, pairs);
  int64_t tokens = 0;
  double log_prob = 0;
  for (const PairScore& score : scores) {
    tokens += static_cast<int64_t>(score.pieces.size());
    log_prob += score.log_prob;
  }
  EXPECT_EQ(counts.tokens, tokens);
  EXPECT_EQ(counts.words, 3 + 1 + 1);  // and an end each, but for the blank one
  EXPECT_DOUBLE_EQ(counts.log_prob, log_prob);
}

TEST(TextScorer, SenselessOptionsAreNamed) {
  const auto expect_named = [](const char* name, const std::function<void(TextScorerOptions&)>& change) {
    TextScorerOptions options;
    change(options);
    EXPECT_FAILS(scores_of({}, options), ConfigError, name);
  };
  expect_named("threads", [](auto& o) { o.workers = 0; });
  expect_named("normalize: must be from 0 to 10, got -1", [](auto& o) { o.length_alpha = -1; });
  expect_named("mini_batch", [](auto& o) { o.batch.sentences = 0; });
  expect_named("mini_batch_words", [](auto& o) { o.batch.tokens = 0; });
  expect_named("maxi_batch", [](auto& o) { o.window_lines = 0; });
}

TEST(TextScorer, AScoreThatIsNotANumberIsRefused) {
  const auto package = test::copying_package();
  const auto info = test::info_of(package);
  const test::TableFactory broken(
      [&](const test::Ids&, const test::Ids&) {
        return std::vector<float>(static_cast<size_t>(info.vocab), std::nanf(""));
      },
      info);
  EXPECT_FAILS(TextScorer(package, broken, {}).score({{"bread", "bread"}}), ModelError, "not a number");
}

}  // namespace
}  // namespace ventris::translation
