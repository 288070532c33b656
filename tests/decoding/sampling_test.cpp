#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "decoding/search.h"
#include "support/table_scorer.h"

namespace ventris::decoding {
namespace {

using test::Ids;
using test::only;
using test::TableScorer;

const std::vector<double> kShares{0.05, 0.40, 1e-12, 0.25, 0.10, 0.20};
constexpr int32_t kDraws = 20'000, kDrawsOfASentence = 1000;

/// How often each token came first in `kDraws` draws.
std::map<int32_t, double> first_tokens(const Sampling& sampling, uint64_t seed = 1) {
  TableScorer scorer([](const Ids&, const Ids&) { return test::log_shares(kShares); }, {2, 3, 6, 1}, {2});
  SearchOptions options;
  options.n_best = kDrawsOfASentence;
  options.sampling = sampling;
  options.sampling.enabled = true;
  options.seed = seed;
  std::map<int32_t, double> counts;
  for (uint64_t number = 0; number < kDraws / kDrawsOfASentence; ++number) {
    const std::vector<Sentence> sentences{{{1}, {}, number}};
    for (const Hypothesis& drawn : only(search(scorer, sentences, options)))
      counts[drawn.truncated ? drawn.ids[0] : 3] += 1;
  }
  return counts;
}

/// Pearson's statistic is under 25 (4 degrees of freedom: exceeded once in 20,000 seeds).
void expect_shares(std::map<int32_t, double> counts, const std::map<int32_t, double>& shares) {
  double statistic = 0, total = 0;
  for (const auto& [id, share] : shares) {
    const double expected = share * kDraws;
    statistic += (counts[id] - expected) * (counts[id] - expected) / expected;
    total += counts[id];
  }
  EXPECT_LT(statistic, 25.0);
  EXPECT_EQ(total, kDraws);
}

TEST(Sampling, FrequenciesAreThoseOfTheModel) {
  expect_shares(first_tokens({}), {{0, 0.05}, {1, 0.40}, {3, 0.25}, {4, 0.10}, {5, 0.20}});
}

TEST(Sampling, TopKDrawsAmongTheBestOnly) {
  Sampling sampling;
  sampling.top_k = 2;
  expect_shares(first_tokens(sampling), {{1, 0.40 / 0.65}, {3, 0.25 / 0.65}});
  sampling.top_k = 1;
  expect_shares(first_tokens(sampling), {{1, 1.0}});
  sampling.top_k = 1000;
  expect_shares(first_tokens(sampling), {{0, 0.05}, {1, 0.40}, {3, 0.25}, {4, 0.10}, {5, 0.20}});
}

TEST(Sampling, TopPDrawsAmongTheFewestThatHoldTheShare) {
  Sampling sampling;
  sampling.top_p = 0.7;
  expect_shares(first_tokens(sampling), {{1, 0.40 / 0.85}, {3, 0.25 / 0.85}, {5, 0.20 / 0.85}});
  sampling.top_p = 1e-9;
  expect_shares(first_tokens(sampling), {{1, 1.0}});
}

TEST(Sampling, TemperatureSharpensOrFlattens) {
  Sampling sampling;
  sampling.temperature = 0.5;  // shares squared
  const double total = 0.0025 + 0.16 + 0.0625 + 0.01 + 0.04;
  expect_shares(first_tokens(sampling),
                {{0, 0.0025 / total}, {1, 0.16 / total}, {3, 0.0625 / total}, {4, 0.01 / total}, {5, 0.04 / total}});
}

TEST(Sampling, DrawsAreScoredByTheModelWhateverTheTemperature) {
  TableScorer scorer([](const Ids&, const Ids&) { return test::log_shares(kShares); }, {2, 3, 6, 40}, {2});
  SearchOptions options;
  options.n_best = 20;
  options.sampling = {true, 2, 0.9, 3.0};
  const std::vector<Sentence> sentences{{{1}, {}, 0}};
  const auto logs = test::log_shares(kShares);
  for (const Hypothesis& drawn : only(search(scorer, sentences, options))) {
    for (size_t i = 0; i < drawn.ids.size(); ++i)
      EXPECT_EQ(drawn.token_log_probs[i], logs[static_cast<size_t>(drawn.ids[i])]);
  }
}

TEST(Sampling, TheSeedAndTheSentencesNumberDecideTheDraws) {
  TableScorer scorer(test::random_table(50, 4, 1.0), {2, 3, 50, 60}, {0, 1, 2});
  SearchOptions options;
  options.sampling.enabled = true;
  options.n_best = 3;
  options.length_alpha = 0;
  const auto drawn = [&](uint64_t seed, uint64_t number) {
    options.seed = seed;
    const std::vector<Sentence> sentences{{{1, 5, 6}, {}, number}};
    return search(scorer, sentences, options).front().front().ids;
  };
  EXPECT_EQ(drawn(1, 1), drawn(1, 1));
  EXPECT_NE(drawn(1, 1), drawn(2, 1));
  EXPECT_NE(drawn(1, 1), drawn(1, 2));
}

TEST(Sampling, KeepsAForcedPrefixAndTheMinimumLength) {
  TableScorer scorer([](const Ids&, const Ids&) { return test::log_shares({0.1, 0.1, 1e-9, 0.8, 1e-9}); },
                     {2, 3, 5, 40}, {2});
  SearchOptions options;
  options.sampling.enabled = true;
  options.n_best = 30;
  options.min_length = 5;
  const std::vector<Sentence> sentences{{{1}, {4, 4}, 0}};
  for (const Hypothesis& drawn : only(search(scorer, sentences, options))) {
    ASSERT_GE(drawn.ids.size(), 5U);
    EXPECT_TRUE(drawn.ids[0] == 4 && drawn.ids[1] == 4);
  }
}

TEST(Sampling, ManyDrawsTakeNoMoreRowsThanABatchAndStayTheSame) {
  TableScorer scorer(test::random_table(50, 4, 1.0), {2, 3, 50, 10}, {0, 1, 2});
  SearchOptions options;
  options.sampling.enabled = true;
  const std::vector<Sentence> sentences{{{1, 5, 6}, {}, 7}, {{8}, {}, 8}};
  options.n_best = kLargestBeam;
  const auto few = search(scorer, sentences, options);
  options.n_best = 2 * kLargestBeam + 20;
  const auto many = search(scorer, sentences, options);
  EXPECT_LE(std::ranges::max(scorer.rows_of_steps), static_cast<size_t>(DecodeLimits{}.rows));
  for (size_t i = 0; i < sentences.size(); ++i) {
    ASSERT_EQ(many[i].size(), static_cast<size_t>(options.n_best));
    EXPECT_TRUE(std::ranges::is_sorted(many[i], std::ranges::greater(), &Hypothesis::score));
    std::multiset<Ids> ids;
    for (const Hypothesis& drawn : many[i]) ids.insert(drawn.ids);
    for (const Hypothesis& drawn : few[i]) {
      ASSERT_TRUE(ids.contains(drawn.ids));
      ids.erase(ids.find(drawn.ids));
    }
    EXPECT_GT(std::set<Ids>(ids.begin(), ids.end()).size(), 100U);  // the others are other draws
  }
}

}  // namespace
}  // namespace ventris::decoding
