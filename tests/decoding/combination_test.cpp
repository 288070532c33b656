#include "decoding/combination.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "core/random.h"
#include "support/errors.h"

namespace ventris::decoding {
namespace {

using Row = std::vector<float>;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

Row combined(const std::vector<Row>& rows, const std::vector<double>& weights, Combination combination) {
  std::vector<const float*> pointers;
  for (const Row& row : rows) pointers.push_back(row.data());
  Row out(rows.front().size(), 7.0F);
  combine(pointers, shares(weights), combination, out);
  return out;
}

Row probs(const std::vector<Row>& rows, const std::vector<double>& weights) {
  return combined(rows, weights, Combination::kProbs);
}
Row log_probs(const std::vector<Row>& rows, const std::vector<double>& weights) {
  return combined(rows, weights, Combination::kLogProbs);
}

/// Log-probabilities of a random distribution, some of them far below the others.
Row random_row(size_t size, uint64_t seed) {
  const core::RandomStream random(seed, 1);
  std::vector<double> weights;
  double sum = 0;
  for (size_t i = 0; i < size; ++i) sum += weights.emplace_back(std::exp(40 * random.uniform(i)));
  Row row;
  for (const double weight : weights) row.push_back(static_cast<float>(std::log(weight / sum)));
  return row;
}

/// A mean of three models of 1000 tokens; `mean` gets the log-probabilities of a token and the shares.
template <typename Mean>
void expect_mean(const Row& found, const std::vector<Row>& rows, const std::vector<double>& of, const Mean& mean) {
  double sum = 0;
  std::vector<double> expected;
  for (size_t id = 0; id < found.size(); ++id) {
    expected.push_back(
        mean(static_cast<double>(rows[0][id]), static_cast<double>(rows[1][id]), static_cast<double>(rows[2][id]), of));
    sum += std::exp(expected.back());
  }
  for (size_t id = 0; id < found.size(); ++id) ASSERT_NEAR(found[id], expected[id] - std::log(sum), 2e-5) << id;
}

const std::vector<Row> kThree{random_row(1000, 1), random_row(1000, 2), random_row(1000, 3)};
const std::vector<double> kWeights{5.0, 2.0, 3.0}, kShares{0.5, 0.2, 0.3};

TEST(Combination, OfProbabilitiesIsTheirWeightedMean) {
  expect_mean(probs(kThree, kWeights), kThree, kShares, [](double a, double b, double c, const auto& of) {
    return std::log(of[0] * std::exp(a) + of[1] * std::exp(b) + of[2] * std::exp(c));
  });
}

TEST(Combination, OfLogProbabilitiesIsTheirWeightedMeanNormalised) {
  expect_mean(log_probs(kThree, kWeights), kThree, kShares,
              [](double a, double b, double c, const auto& of) { return of[0] * a + of[1] * b + of[2] * c; });
}

TEST(Combination, IsADistribution) {
  for (const auto combination : {Combination::kProbs, Combination::kLogProbs}) {
    double sum = 0;
    for (const float log_prob : combined(kThree, kWeights, combination)) sum += std::exp(static_cast<double>(log_prob));
    EXPECT_NEAR(sum, 1.0, 1e-5);
  }
}

TEST(Combination, OfAModelWithItselfIsTheModel) {
  const Row row = random_row(500, 4);
  for (const auto combination : {Combination::kProbs, Combination::kLogProbs}) {
    const Row found = combined({row, row, row}, {1.0, 2.0, 4.0}, combination);
    for (size_t id = 0; id < row.size(); ++id) EXPECT_NEAR(found[id], row[id], 1e-5);
  }
  EXPECT_EQ(probs({row, row}, {1, 1}), row);
}

TEST(Combination, ATokenThatOneModelExcludesIsExcludedOnlyByTheMeanOfLogProbabilities) {
  const Row a{std::log(0.5F), std::log(0.5F), -kInfinity}, b{std::log(0.25F), -kInfinity, -kInfinity};
  const Row mean = probs({a, b}, {1, 1});
  EXPECT_FLOAT_EQ(mean[0], std::log(0.375F));
  EXPECT_FLOAT_EQ(mean[1], std::log(0.25F));
  EXPECT_EQ(mean[2], -kInfinity);
  EXPECT_EQ(log_probs({a, b}, {1, 1}), (Row{0.0F, -kInfinity, -kInfinity}));
}

TEST(Combination, NaNIsNotHidden) {
  for (const size_t place : {0U, 1U}) {
    std::vector<Row> rows{{-1.0F, -0.5F}, {-1.0F, -0.5F}};
    rows[place][1] = kNaN;
    EXPECT_TRUE(std::isnan(probs(rows, {1, 1})[1])) << place;
    EXPECT_TRUE(std::isnan(log_probs(rows, {1, 1})[1])) << place;
  }
  EXPECT_TRUE(std::isnan(mean_of_probs(Row{-kInfinity, kNaN}, shares(std::vector<double>{1, 1}))));
}

TEST(Combination, OfOneTokenIsThatOfItsRow) {
  const Row mean = probs(kThree, kWeights);
  for (size_t id = 0; id < mean.size(); ++id) {
    const Row of_token{kThree[0][id], kThree[1][id], kThree[2][id]};
    EXPECT_EQ(mean_of_probs(of_token, shares(kWeights)), mean[id]);
  }
}

std::vector<const float*> pointers_to(const std::vector<Row>& rows) {
  std::vector<const float*> pointers;
  for (const Row& row : rows) pointers.push_back(row.data());
  return pointers;
}

/// The best of all tokens, sorted one by one.
std::vector<std::pair<float, int32_t>> sorted_means(const std::vector<Row>& rows, const std::vector<double>& weights,
                                                    const std::vector<int32_t>& excluded) {
  const Row all = probs(rows, weights);
  std::vector<std::pair<float, int32_t>> sorted;
  for (size_t id = 0; id < all.size(); ++id) {
    const bool out = std::ranges::find(excluded, static_cast<int32_t>(id)) != excluded.end();
    if (!out && all[id] > -kInfinity) sorted.emplace_back(-all[id], static_cast<int32_t>(id));
  }
  std::ranges::sort(sorted);
  return sorted;
}

TEST(BestMeans, AreTheBestOfTheWholeRow) {
  const std::vector<int32_t> excluded{0, 1, 2, 999, static_cast<int32_t>(sorted_means(kThree, kWeights, {})[0].second)};
  for (const std::vector<double>& weights : {kWeights, {1.0, 1.0, 1e-3}}) {
    const auto expected = sorted_means(kThree, weights, excluded);
    for (const size_t count : {1U, 2U, 7U, 300U, 1000U, 1200U}) {
      const auto found = best_means(pointers_to(kThree), shares(weights), 1000, count, excluded);
      ASSERT_EQ(found.size(), std::min(count, expected.size()));
      for (size_t i = 0; i < found.size(); ++i) {
        EXPECT_EQ(found[i].id, expected[i].second) << i << " of " << count;
        EXPECT_EQ(found[i].log_prob, -expected[i].first) << i << " of " << count;
      }
    }
  }
}

TEST(BestMeans, TiesAreInTheOrderOfTheIdsAndImpossibleTokensAreLeftOut) {
  for (const size_t vocab : {3U, 16U, 37U}) {
    Row row(vocab, -1.0F);
    row[1] = -kInfinity;
    const auto found = best_means(pointers_to({row, row}), Row{0.5F, 0.5F}, vocab, 100, std::vector<int32_t>{0});
    ASSERT_EQ(found.size(), vocab - 2);
    for (size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i].id, static_cast<int32_t>(i) + 2);
  }
}

TEST(BestMeans, NaNIsNotHiddenByBetterTokens) {
  for (const size_t model : {0U, 1U}) {
    for (const size_t place : {1U, 20U, 39U}) {
      std::vector<Row> rows(2, Row(40, -5.0F));
      rows[0][0] = rows[1][0] = -0.1F;
      rows[model][place] = kNaN;
      const auto found = best_means(pointers_to(rows), Row{0.5F, 0.5F}, 40, 1, {});
      ASSERT_EQ(found.size(), 1U);
      EXPECT_EQ(found[0].id, static_cast<int32_t>(place));
      EXPECT_TRUE(std::isnan(found[0].log_prob));
    }
  }
}

TEST(Shares, AreTheRatiosOfTheWeights) {
  EXPECT_EQ(shares(kWeights), (Row{0.5F, 0.2F, 0.3F}));
  EXPECT_EQ(shares(std::vector<double>{7e-300}), Row{1.0F});
}

TEST(Shares, WeightsThatAreNotOverZeroOrNextToNothingAreRefused) {
  for (const double weight : {0.0, -1.0, 1e-60, static_cast<double>(kInfinity), static_cast<double>(kNaN)}) {
    EXPECT_FAILS(shares(std::vector<double>{1.0, weight}), std::invalid_argument, "not over 0");
  }
}

}  // namespace
}  // namespace ventris::decoding
