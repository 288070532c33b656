#include "nat/ctc.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "core/random.h"

namespace ventris::nat {
namespace {

using Ids = std::vector<int32_t>;

constexpr int32_t kBlank = 0;
constexpr size_t kPositions = 5, kSymbols = 3;  // the blank, 1 and 2

/// Probabilities of every symbol at every position.
std::vector<double> shares(uint64_t seed) {
  const core::RandomStream random(seed, 0);
  std::vector<double> all;
  for (size_t t = 0; t < kPositions; ++t) {
    double sum = 0;
    for (size_t s = 0; s < kSymbols; ++s) {
      all.push_back(0.05 + random.uniform(all.size()));
      sum += all.back();
    }
    for (size_t s = 0; s < kSymbols; ++s) all[t * kSymbols + s] /= sum;
  }
  return all;
}

/// The columns of the blank and of each token.
std::vector<float> columns(const std::vector<double>& shares, const Ids& tokens) {
  std::vector<float> found;
  for (size_t t = 0; t < kPositions; ++t) {
    found.push_back(static_cast<float>(std::log(shares[t * kSymbols + kBlank])));
    for (const int32_t token : tokens) {
      found.push_back(static_cast<float>(std::log(shares[t * kSymbols + static_cast<size_t>(token)])));
    }
  }
  return found;
}

/// Calls visit(path, probability) for every path.
template <typename Visit>
void each_path(const std::vector<double>& shares, const Visit& visit) {
  for (size_t number = 0; number < std::pow(kSymbols, kPositions); ++number) {
    Ids path;
    double share = 1;
    for (size_t t = 0, rest = number; t < kPositions; ++t, rest /= kSymbols) {
      path.push_back(static_cast<int32_t>(rest % kSymbols));
      share *= shares[t * kSymbols + rest % kSymbols];
    }
    visit(path, share);
  }
}

bool begins_with(const Ids& whole, const Ids& prefix) {
  return whole.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), whole.begin());
}

const std::vector<Ids> kTranslations{{}, {1}, {2, 1}, {1, 1}, {1, 2, 1}, {2, 2, 2}, {1, 1, 2, 1}};

TEST(Ctc, CollapsingDropsRepetitionsAndThenBlanks) {
  EXPECT_EQ(ctc_collapse(Ids{0, 5, 5, 0, 5, 7, 7, 0}, kBlank), (Ids{5, 5, 7}));
  EXPECT_EQ(ctc_collapse(Ids{0, 0}, kBlank), Ids());
  EXPECT_EQ(ctc_collapse(Ids(), kBlank), Ids());
}

TEST(Ctc, TheValuesOfATranslationAreThoseOfAllItsPaths) {
  for (const uint64_t seed : {1, 2, 3}) {
    const auto table = shares(seed);
    for (const Ids& tokens : kTranslations) {
      const auto values = ctc_token_log_probs(columns(table, tokens), tokens);
      ASSERT_EQ(values.size(), tokens.size() + 1);
      double sum = 0;
      for (size_t k = 0; k <= tokens.size(); ++k) {
        const Ids prefix(tokens.begin(), tokens.begin() + static_cast<int64_t>(k));
        double begins = 0;
        each_path(table, [&](const Ids& path, double share) {
          if (begins_with(ctc_collapse(path, kBlank), prefix)) begins += share;
        });
        EXPECT_NEAR(sum, std::log(begins), 1e-5);
        sum += static_cast<double>(values[k]);
      }
      double exact = 0;
      each_path(table, [&](const Ids& path, double share) {
        if (ctc_collapse(path, kBlank) == tokens) exact += share;
      });
      EXPECT_NEAR(sum, std::log(exact), 1e-5);
    }
  }
}

TEST(Ctc, ATranslationWithoutAPathIsImpossibleFromTheFirstTokenThatDoesNotFit) {
  const Ids tokens{1, 1, 1, 1};  // needs 7 positions, there are 5
  const auto values = ctc_token_log_probs(columns(shares(1), tokens), tokens);
  constexpr float kNever = -std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isfinite(values[2]));
  EXPECT_EQ(values[3], kNever);
  EXPECT_EQ(values[4], kNever);
}

TEST(Ctc, SizesThatDoNotFitAreMisuse) {
  EXPECT_THROW(ctc_token_log_probs(std::vector<float>(5), Ids{1}), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::nat
