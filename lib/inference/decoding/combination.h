#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ventris::decoding {

/// How the distributions of several models become one, whose probabilities sum to 1.
enum class Combination {
  kProbs,    ///< the weighted mean of the probabilities, as in fairseq and Sockeye
  kLogProbs  ///< the weighted mean of the log-probabilities, normalised to a distribution: a geometric mean
};

/// The shares of these weights in their sum. Throws std::invalid_argument unless all weights are finite, and all shares
/// are over 0 in single precision.
std::vector<float> shares(std::span<const double> weights);

/// The log-probability of a token that has these log-probabilities, one for each model, by Combination::kProbs.
/// `shares` has one value per model, and sums to 1.
float mean_of_probs(std::span<const float> log_probs, std::span<const float> shares);

/// Combines the rows of the models, each of out.size() log-probabilities (nats), into `out`. NaN in a row stays NaN.
void combine(std::span<const float* const> rows, std::span<const float> shares, Combination combination,
             std::span<float> out);

/// A token and its log-probability.
struct RatedToken {
  int32_t id = 0;
  float log_prob = 0;
};

/// The best tokens of combine() by Combination::kProbs, best first (ties: lower id first), at most `count` (at least 1)
/// and without the ids in `excluded` and those that are impossible. `vocab` is the size of the rows. If a row has NaN,
/// only the first such token, so that the search notices it. Takes a fraction of the time of combine().
std::vector<RatedToken> best_means(std::span<const float* const> rows, std::span<const float> shares, size_t vocab,
                                   size_t count, std::span<const int32_t> excluded);

}  // namespace ventris::decoding
