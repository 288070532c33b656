#include "lexicon/ibm_model1.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

namespace ventris::lexicon {
namespace {

using Ids = std::vector<int32_t>;

/// What make_ibm_model1_expected.py wrote.
nlohmann::json expected() {
  return nlohmann::json::parse(std::ifstream(VENTRIS_SOURCE "/tests/lexicon/ibm_model1_expected.json"));
}

data::ParallelCorpus corpus_of(const std::vector<std::pair<Ids, Ids>>& pairs) {
  data::ParallelCorpus corpus;
  corpus.begin_part(0);
  for (const auto& [source, target] : pairs) corpus.add(source, target);
  return corpus;
}

data::ParallelCorpus random_corpus(int64_t pairs, int32_t vocab) {
  std::mt19937 random(3);
  const auto sentence = [&] {
    Ids ids(1 + random() % 9);
    for (int32_t& id : ids) id = 4 + static_cast<int32_t>(random() % static_cast<uint32_t>(vocab - 4));
    return ids;
  };
  data::ParallelCorpus corpus;
  corpus.begin_part(0);
  for (int64_t i = 0; i < pairs; ++i) corpus.add(sentence(), sentence());
  return corpus;
}

TEST(IbmModel1, HasTheProbabilitiesOfAPlainComputation) {
  const nlohmann::json json = expected();
  const int64_t source_vocab = json["source_vocab"], target_vocab = json["target_vocab"];
  const auto corpus = corpus_of(json["corpus"]);
  for (const auto& [iterations, rows] : json["tables"].items()) {
    const auto table = learn_ibm_model1(corpus, source_vocab, target_vocab, {.iterations = std::stoi(iterations)});
    ASSERT_EQ(table.size(), rows.size());
    for (size_t source = 0; source < table.size(); ++source) {
      std::vector<double> row(static_cast<size_t>(target_vocab));
      for (const PieceTranslation& one : table[source]) row[static_cast<size_t>(one.target)] = one.probability;
      for (size_t target = 0; target < row.size(); ++target) {
        EXPECT_NEAR(row[target], rows[source][target].get<double>(), 1e-5)
            << "after " << iterations << " iterations, source " << source << ", target " << target;
      }
    }
  }
}

TEST(IbmModel1, FindsTheTranslationOfEachWord) {
  const auto corpus = corpus_of({{{4, 5}, {7, 8}}, {{4, 6}, {7, 9}}, {{5}, {8}}, {{6, 5}, {9, 8}}});
  const auto table = learn_ibm_model1(corpus, 7, 10, {.iterations = 20});
  for (const int32_t source : {4, 5, 6}) {
    const auto& found = table[static_cast<size_t>(source)];
    const auto right =
        std::find_if(found.begin(), found.end(), [&](const PieceTranslation& one) { return one.target == source + 3; });
    ASSERT_NE(right, found.end()) << "source " << source;
    EXPECT_GT(right->probability, 0.5F) << "source " << source;
  }
}

bool equal(const TranslationTable& a, const TranslationTable& b) {
  const auto same = [](const PieceTranslation& x, const PieceTranslation& y) {
    return x.target == y.target && x.probability == y.probability;
  };
  for (size_t row = 0; row < a.size(); ++row) {
    if (!std::equal(a[row].begin(), a[row].end(), b[row].begin(), b[row].end(), same)) return false;
  }
  return a.size() == b.size();
}

TEST(IbmModel1, IsTheSameToTheLastBitForAnyNumberOfThreads) {
  const auto corpus = random_corpus(500, 60);
  const auto expected = learn_ibm_model1(corpus, 60, 60, {.most_targets = 20});
  for (const int threads : {2, 3, 7}) {
    EXPECT_TRUE(equal(learn_ibm_model1(corpus, 60, 60, {.threads = threads, .most_targets = 20}), expected));
  }
}

TEST(IbmModel1, KeepsOnlyTheMostProbableTargets) {
  const auto corpus = random_corpus(300, 40);
  const IbmModel1Options whole{.iterations = 1};
  IbmModel1Options few = whole;
  few.most_targets = 5;
  IbmModel1Options likely = whole;
  likely.least = 0.03F;
  const auto all = learn_ibm_model1(corpus, 40, 40, whole), best = learn_ibm_model1(corpus, 40, 40, few);
  const auto sure = learn_ibm_model1(corpus, 40, 40, likely);
  for (size_t row = 4; row < all.size(); ++row) {
    std::vector<float> sorted;
    for (const PieceTranslation& one : all[row]) sorted.push_back(one.probability);
    std::ranges::sort(sorted, std::ranges::greater());
    ASSERT_EQ(best[row].size(), 5U);
    for (const PieceTranslation& one : best[row]) EXPECT_GE(one.probability, sorted[4]);
    for (const PieceTranslation& one : sure[row]) EXPECT_GE(one.probability, 0.03F);
    EXPECT_EQ(sure[row].size(), std::ranges::count_if(sorted, [](float value) { return value >= 0.03F; }));
  }
}

TEST(IbmModel1, PiecesThatDoNotOccurHaveNoTranslations) {
  const auto table = learn_ibm_model1(corpus_of({{{4}, {5}}}), 8, 9, {});
  for (size_t row = 0; row < 8; ++row) EXPECT_EQ(table[row].size(), row == 4 ? 1U : 0U);
  EXPECT_EQ(table.back().size(), 1U);  // the null word
}

}  // namespace
}  // namespace ventris::lexicon
