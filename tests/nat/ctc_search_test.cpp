#include "nat/ctc_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>

#include "core/random.h"
#include "nat/ctc.h"

namespace ventris::nat {
namespace {

using Ids = std::vector<int32_t>;

constexpr int32_t kEmpty = 0;  // the blank

/// All symbols of each position, best first.
struct Table {
  Table(uint64_t seed, size_t positions, size_t symbols) : count(symbols) {
    const core::RandomStream random(seed, 0);
    for (size_t t = 0; t < positions; ++t) {
      std::vector<double> shares;
      for (size_t s = 0; s < symbols; ++s) shares.push_back(0.02 + std::pow(random.uniform(t * symbols + s), 3));
      const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
      Ids order(symbols);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::sort(
          order, [&](int32_t a, int32_t b) { return shares[static_cast<size_t>(a)] > shares[static_cast<size_t>(b)]; });
      for (const int32_t id : order) {
        ids.push_back(id);
        log_probs.push_back(static_cast<float>(std::log(shares[static_cast<size_t>(id)] / sum)));
      }
    }
  }

  /// The log-probability of every translation that has a path.
  std::map<Ids, double> translations() const {
    std::map<Ids, double> sums;
    const size_t positions = ids.size() / count;
    for (size_t number = 0; number < std::pow(count, positions); ++number) {
      Ids path;
      double log_prob = 0;
      for (size_t t = 0, rest = number; t < positions; ++t, rest /= count) {
        path.push_back(ids[t * count + rest % count]);
        log_prob += static_cast<double>(log_probs[t * count + rest % count]);
      }
      sums[ctc_collapse(path, kEmpty)] += std::exp(log_prob);
    }
    return sums;
  }

  std::vector<Ids> search(size_t beam) const { return ctc_prefix_search(ids, log_probs, count, kEmpty, beam); }

  size_t count;
  Ids ids;
  std::vector<float> log_probs;
};

TEST(CtcSearch, AWideBeamFindsAllTranslationsInTheOrderOfTheirProbabilities) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Table table(seed, 5, 3);
    const auto sums = table.translations();
    const auto found = table.search(1000);
    ASSERT_EQ(found.size(), sums.size());
    for (size_t i = 0; i < found.size(); ++i) {
      ASSERT_TRUE(sums.contains(found[i]));
      if (i > 0) {
        EXPECT_LE(sums.at(found[i]), sums.at(found[i - 1]) * (1 + 1e-9));
      }
    }
  }
}

TEST(CtcSearch, ANarrowBeamHasDifferentTranslationsThatExist) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Table table(seed, 6, 4);
    const auto sums = table.translations();
    const auto found = table.search(3);
    EXPECT_EQ(found.size(), 3U);
    for (size_t i = 0; i < found.size(); ++i) {
      EXPECT_TRUE(sums.contains(found[i]));
      EXPECT_EQ(std::ranges::count(found, found[i]), 1);
    }
  }
}

TEST(CtcSearch, SeveralPathsOfATranslationCanBeatTheBestPath) {
  // The best path is two blanks (0.36), but the paths of "5" have 0.64 together.
  const Ids symbols{kEmpty, 5, kEmpty, 5};
  const std::vector<float> log_probs{std::log(0.6F), std::log(0.4F), std::log(0.6F), std::log(0.4F)};
  EXPECT_EQ(ctc_prefix_search(symbols, log_probs, 2, kEmpty, 2), (std::vector<Ids>{{5}, {}}));
}

TEST(CtcSearch, ATokenTwiceNeedsABlankBetween) {
  const Ids symbols{5, kEmpty, 5};
  const std::vector<float> log_probs(3, -0.1F);
  EXPECT_EQ(ctc_prefix_search(symbols, log_probs, 1, kEmpty, 4), (std::vector<Ids>{{5, 5}}));
  EXPECT_EQ(ctc_prefix_search(Ids{5, 5}, std::vector<float>(2, -0.1F), 1, kEmpty, 4), (std::vector<Ids>{{5}}));
}

TEST(CtcSearch, ImpossibleSymbolsAreNotUsed) {
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  const Ids symbols{5, kEmpty, kEmpty, kEmpty};  // a vocabulary of two symbols: the others are filled up
  const std::vector<float> log_probs{-0.5F, -1, kNever, kNever};
  EXPECT_EQ(ctc_prefix_search(symbols, log_probs, 4, kEmpty, 9), (std::vector<Ids>{{5}, {}}));
}

TEST(CtcSearch, APositionWithoutAPossibleSymbolHasNoTranslation) {
  const std::vector<float> log_probs{-0.5F, -std::numeric_limits<float>::infinity(), -0.5F};
  EXPECT_TRUE(ctc_prefix_search(Ids{5, 6, 7}, log_probs, 1, kEmpty, 3).empty());
}

TEST(CtcSearch, NoTranslationIsFoundTwice) {
  // Prefixes leave narrow beams and come back, while longer ones that begin with them stay.
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const Table table(seed, 12, 3);
    for (const size_t beam : {2, 3, 4, 5}) {
      const auto found = table.search(beam);
      for (const Ids& ids : found) EXPECT_EQ(std::ranges::count(found, ids), 1);
    }
  }
}

TEST(CtcSearch, WithoutPositionsTheTranslationIsEmpty) {
  EXPECT_EQ(ctc_prefix_search({}, {}, 2, kEmpty, 3), (std::vector<Ids>{{}}));
}

TEST(CtcSearch, SizesThatDoNotFitAreMisuse) {
  EXPECT_THROW(ctc_prefix_search(Ids{1, 2, 3}, std::vector<float>(3), 2, kEmpty, 3), std::invalid_argument);
  EXPECT_THROW(ctc_prefix_search(Ids{1, 2}, std::vector<float>(3), 1, kEmpty, 3), std::invalid_argument);
  EXPECT_THROW(ctc_prefix_search(Ids{1}, std::vector<float>(1), 1, kEmpty, 0), std::invalid_argument);
  EXPECT_THROW(ctc_prefix_search(Ids{1}, std::vector<float>(1), 0, kEmpty, 3), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::nat
