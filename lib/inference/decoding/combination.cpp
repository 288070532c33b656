#include "decoding/combination.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace ventris::decoding {
namespace {

constexpr float kLowest = std::numeric_limits<float>::lowest();
constexpr float kMargin = 1e-3F;  // more than the rounding of a log-probability
using Rows = std::span<const float* const>;

/// Combination::kProbs for the token at `id`.
float mean_at(Rows rows, std::span<const float> shares, size_t id) {
  float largest = kLowest;  // not -infinity, so that the differences below are numbers
  for (const float* row : rows) largest = std::max(largest, row[id]);
  float sum = 0;
  for (size_t model = 0; model < rows.size(); ++model) sum += shares[model] * std::exp(rows[model][id] - largest);
  return largest + std::log(sum);
}

/// The logarithm of the sum of exp(value).
float log_sum(std::span<const float> row) {
  const float largest = *std::max_element(row.begin(), row.end());
  double sum = 0;
  for (const float value : row) sum += static_cast<double>(std::exp(value - largest));
  return largest + static_cast<float>(std::log(sum));
}

void mean_of_log_probs(Rows rows, std::span<const float> shares, std::span<float> out) {
  std::ranges::fill(out, 0.0F);
  for (size_t model = 0; model < rows.size(); ++model) {
    const float share = shares[model];
    const float* row = rows[model];
    for (size_t id = 0; id < out.size(); ++id) out[id] += share * row[id];
  }
  const float sum = log_sum(out);
  for (float& value : out) value -= sum;
}

constexpr size_t kBlock = 16;  // tokens that are compared together

using Floats = float __attribute__((vector_size(16)));
using Ints = int32_t __attribute__((vector_size(16)));

/// Whether none of kBlock numbers is over the limit or NaN.
bool none_over(const float* values, float limit) {
  Ints within = Ints{} - 1;
  for (size_t i = 0; i < kBlock; i += 4) {
    Floats part;
    std::memcpy(&part, values + i, sizeof(part));
    within &= part <= Floats{} + limit;
  }
  return (within[0] & within[1] & within[2] & within[3]) != 0;
}

/// Collects the continuations that can be among the best. The mean of the probabilities of a token is at most the
/// largest of them (its bound), and at least the bound times the smallest share.
class BestContinuations {
 public:
  BestContinuations(Rows rows, std::span<const float> shares, size_t count)
      : rows_(rows), slack_(std::log(*std::ranges::min_element(shares)) - kMargin), count_(count) {}

  bool can_skip(size_t first) const {
    return std::ranges::all_of(rows_, [&](const float* row) { return none_over(row + first, limit_); });
  }

  /// Returns false if a model gives NaN to the token.
  bool add(size_t id) {
    float bound = kLowest;
    for (const float* row : rows_) {
      if (std::isnan(row[id])) return false;
      bound = std::max(bound, row[id]);
    }
    if (!(bound > limit_)) return true;
    tokens_.push_back({static_cast<int32_t>(id), bound});
    if (bounds_.size() == count_ && bound > bounds_.front()) {
      std::ranges::pop_heap(bounds_, std::greater());
      bounds_.pop_back();
    }
    if (bounds_.size() < count_) {
      bounds_.push_back(bound);
      std::ranges::push_heap(bounds_, std::greater());
    }
    if (bounds_.size() == count_) limit_ = bounds_.front() + slack_;
    return true;
  }

  /// The tokens with their means, best first.
  std::vector<RatedToken> take(std::span<const float> shares) {
    std::erase_if(tokens_, [&](const RatedToken& token) { return token.log_prob < limit_; });
    for (RatedToken& token : tokens_) token.log_prob = mean_at(rows_, shares, static_cast<size_t>(token.id));
    const size_t count = std::min(count_, tokens_.size());
    const auto better = [](const RatedToken& a, const RatedToken& b) {
      return a.log_prob > b.log_prob || (a.log_prob == b.log_prob && a.id < b.id);
    };
    std::partial_sort(tokens_.begin(), tokens_.begin() + static_cast<std::ptrdiff_t>(count), tokens_.end(), better);
    tokens_.resize(count);
    return std::move(tokens_);
  }

 private:
  Rows rows_;
  float slack_;
  size_t count_;
  float limit_ = kLowest;           // no token with a bound under it is among the best
  std::vector<float> bounds_;       // the largest `count`, the smallest of them in front
  std::vector<RatedToken> tokens_;  // with their bounds
};

}  // namespace

std::vector<float> shares(std::span<const double> weights) {
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<float> found;
  for (const double weight : weights) {
    const auto share = static_cast<float>(weight / sum);
    if (!(share > 0) || std::isinf(sum)) {
      throw std::invalid_argument("a weight of an ensemble is not over 0, or next to nothing");
    }
    found.push_back(share);
  }
  return found;
}

float mean_of_probs(std::span<const float> log_probs, std::span<const float> shares) {
  std::vector<const float*> rows;
  for (const float& log_prob : log_probs) rows.push_back(&log_prob);
  return mean_at(rows, shares, 0);
}

void combine(Rows rows, std::span<const float> shares, Combination combination, std::span<float> out) {
  if (combination == Combination::kLogProbs) return mean_of_log_probs(rows, shares, out);
  for (size_t id = 0; id < out.size(); ++id) out[id] = mean_at(rows, shares, id);
}

std::vector<RatedToken> best_means(Rows rows, std::span<const float> shares, size_t vocab, size_t count,
                                   std::span<const int32_t> excluded) {
  BestContinuations best(rows, shares, count);
  for (size_t first = 0; first < vocab; first += kBlock) {
    if (first + kBlock <= vocab && best.can_skip(first)) continue;
    for (size_t id = first; id < std::min(first + kBlock, vocab); ++id) {
      if (std::ranges::find(excluded, static_cast<int32_t>(id)) != excluded.end()) continue;
      if (!best.add(id)) return {{static_cast<int32_t>(id), std::numeric_limits<float>::quiet_NaN()}};
    }
  }
  return best.take(shares);
}

}  // namespace ventris::decoding
