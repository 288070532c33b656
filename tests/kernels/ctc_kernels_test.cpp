#include "kernels/ctc_kernels.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "kernels/random_values.h"

namespace ventris::kernels {
namespace {

using Tokens = std::vector<int64_t>;

/// What a path writes: the numbers of its symbols (0 = blank, k = token k) become token ids.
Tokens written(const std::vector<size_t>& path, const Tokens& alphabet) {
  Tokens found;
  int64_t before = -1;
  for (const size_t symbol : path) {
    const int64_t id = symbol == 0 ? -1 : alphabet[symbol - 1];
    if (id >= 0 && id != before) found.push_back(id);
    before = id;
  }
  return found;
}

/// Tries every path over the distinct tokens of the target.
struct Enumeration {
  double total = 0;                                 ///< the probability of the target
  std::map<std::pair<size_t, int64_t>, double> at;  ///< of the paths that have an id (-1 = blank) at a position

  Enumeration(const std::vector<float>& log_probs, const Tokens& tokens, size_t positions) {
    Tokens alphabet;
    std::vector<size_t> column{0};  // of each symbol, in log_probs
    for (size_t k = 0; k < tokens.size(); ++k) {
      if (std::find(alphabet.begin(), alphabet.end(), tokens[k]) != alphabet.end()) continue;
      alphabet.push_back(tokens[k]);
      column.push_back(k + 1);
    }
    std::vector<size_t> path(positions, 0);
    while (true) {
      double log_prob = 0;
      for (size_t t = 0; t < positions; ++t) log_prob += log_probs[t * (tokens.size() + 1) + column[path[t]]];
      if (written(path, alphabet) == tokens) {
        total += std::exp(log_prob);
        for (size_t t = 0; t < positions; ++t) {
          at[{t, path[t] == 0 ? -1 : alphabet[path[t] - 1]}] += std::exp(log_prob);
        }
      }
      size_t t = 0;
      while (t < positions && ++path[t] > alphabet.size()) path[t++] = 0;
      if (t == positions) return;
    }
  }
};

/// Random log-probabilities; columns of the same token are equal, as they come from one column of the logits.
std::vector<float> random_log_probs(const Tokens& tokens, size_t positions, uint64_t seed) {
  std::vector<float> found = test::random_values(static_cast<int64_t>(positions * (tokens.size() + 1)), seed);
  for (size_t t = 0; t < positions; ++t) {
    float* row = found.data() + t * (tokens.size() + 1);
    for (size_t k = 0; k < tokens.size(); ++k) {
      for (size_t j = 0; j < k; ++j) {
        if (tokens[j] == tokens[k]) row[k + 1] = row[j + 1];
      }
    }
    for (size_t k = 0; k <= tokens.size(); ++k) row[k] -= 3;
  }
  return found;
}

TEST(CtcPosteriors, AreTheSharesOfAllPathsThatWriteTheTarget) {
  const std::vector<Tokens> targets{{}, {5}, {5, 6}, {5, 5}, {5, 6, 5}, {5, 5, 5}};
  for (size_t number = 0; number < targets.size(); ++number) {
    const Tokens& tokens = targets[number];
    for (const size_t positions : {size_t{5}, size_t{6}}) {
      const auto log_probs = random_log_probs(tokens, positions, 10 * number + positions);
      const Enumeration expected(log_probs, tokens, positions);
      std::vector<float> posteriors(log_probs.size());
      EXPECT_NEAR(ctc_posteriors(log_probs, tokens, posteriors), -std::log(expected.total), 1e-5);
      EXPECT_NEAR(ctc_posteriors(log_probs, tokens, {}), -std::log(expected.total), 1e-5);
      for (size_t t = 0; t < positions; ++t) {
        std::map<int64_t, double> found;  // by id: the columns of the same token together
        for (size_t k = 0; k <= tokens.size(); ++k) {
          found[k == 0 ? -1 : tokens[k - 1]] += posteriors[t * (tokens.size() + 1) + k];
        }
        for (const auto& [id, share] : found) {
          const auto known = expected.at.find({t, id});
          EXPECT_NEAR(share, known == expected.at.end() ? 0 : known->second / expected.total, 1e-5)
              << number << " " << t;
        }
      }
    }
  }
}

TEST(CtcPosteriors, OfATargetThatDoesNotFitAreZeroAndItsLossIsInfinite) {
  const Tokens tokens{5, 5, 6};  // needs a blank between the first two: 4 positions
  for (const size_t positions : {size_t{1}, size_t{3}}) {
    const auto log_probs = random_log_probs(tokens, positions, 1);
    std::vector<float> posteriors(log_probs.size(), 7);
    EXPECT_EQ(ctc_posteriors(log_probs, tokens, posteriors), std::numeric_limits<double>::infinity());
    for (const float share : posteriors) EXPECT_EQ(share, 0);
  }
  EXPECT_TRUE(std::isfinite(ctc_posteriors(random_log_probs(tokens, 4, 1), tokens, {})));
}

TEST(CtcPosteriors, OfImprobableLongTargetsStayFinite) {
  Tokens tokens;
  for (int64_t i = 0; i < 100; ++i) tokens.push_back(10 + i % 7);
  std::vector<float> log_probs(size_t{300} * 101, -60.0F);
  std::vector<float> posteriors(log_probs.size());
  const double loss = ctc_posteriors(log_probs, tokens, posteriors);
  EXPECT_TRUE(std::isfinite(loss));
  for (size_t t = 0; t < 300; ++t) {
    double sum = 0;
    for (size_t k = 0; k < 101; ++k) sum += posteriors[t * 101 + k];
    EXPECT_NEAR(sum, 1, 1e-4);
  }
}

/// The most probable path of all, by trying each. Empty if there is none.
std::vector<int32_t> best_of_all(const std::vector<float>& log_probs, const Tokens& tokens, size_t positions) {
  std::vector<int32_t> best;
  std::vector<size_t> path(positions, 0);
  double greatest = -std::numeric_limits<double>::infinity();
  for (bool more = true; more;) {
    double log_prob = 0;
    for (size_t t = 0; t < positions; ++t)
      log_prob += static_cast<double>(log_probs[t * (tokens.size() + 1) + path[t]]);
    if (written(path, tokens) == tokens && log_prob > greatest) {
      greatest = log_prob;
      best.assign(path.begin(), path.end());
    }
    size_t t = 0;
    while (t < positions && ++path[t] > tokens.size()) path[t++] = 0;
    more = t < positions;
  }
  return best;
}

TEST(CtcBestPath, IsTheMostProbableOneOfTheTarget) {
  for (const Tokens& tokens : {Tokens{}, Tokens{5}, Tokens{5, 6}, Tokens{5, 6, 7}, Tokens{7, 6, 5, 8}}) {
    for (const size_t positions : {size_t{4}, size_t{5}}) {
      for (const uint64_t seed : {1, 2, 3}) {
        const auto log_probs = random_log_probs(tokens, positions, seed);
        EXPECT_EQ(ctc_best_path(log_probs, tokens), best_of_all(log_probs, tokens, positions));
      }
    }
  }
}

TEST(CtcBestPath, HasABlankBetweenEqualTokens) {
  const Tokens tokens{5, 5, 5};
  for (const uint64_t seed : {1, 2, 3}) {
    const auto path = ctc_best_path(random_log_probs(tokens, 5, seed), tokens);
    EXPECT_EQ(path, (std::vector<int32_t>{1, 0, 2, 0, 3}));
  }
  EXPECT_TRUE(ctc_best_path(random_log_probs(tokens, 4, 1), tokens).empty());
  EXPECT_THROW(ctc_best_path(std::vector<float>(5), tokens), std::invalid_argument);
}

TEST(CtcPosteriors, SizesThatDoNotFitAreRefused) {
  const Tokens tokens{5, 6};
  std::vector<float> log_probs(6), posteriors(3);
  EXPECT_THROW(ctc_posteriors(log_probs, tokens, posteriors), std::invalid_argument);
  EXPECT_THROW(ctc_posteriors(std::span(log_probs).first(4), tokens, {}), std::invalid_argument);
  EXPECT_THROW(ctc_posteriors({}, tokens, {}), std::invalid_argument);
}

}  // namespace
}  // namespace ventris::kernels
