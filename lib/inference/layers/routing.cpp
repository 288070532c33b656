#include "layers/routing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ventris::layers {

void Routing::choose(float* logits, int64_t rows, const architecture::TransformerOptions& options) {
  by_row_.clear();
  for (int64_t row = 0; row < rows; ++row, logits += options.experts) {
    const std::span<float> weights(logits, static_cast<size_t>(options.experts));  // exp(logits) in a moment
    const float most = *std::ranges::max_element(weights);
    double sum = 0;
    for (float& weight : weights) sum += weight = std::exp(weight - most);
    const float valid = std::isnan(sum) ? std::numeric_limits<float>::quiet_NaN() : 1;  // a logit that is NaN is seen
    const auto first = std::ranges::max_element(weights) - weights.begin();
    if (options.experts_per_token == 1) {
      by_row_.push_back({row, first, static_cast<float>(weights[first] / sum)});
      continue;
    }
    const float of_first = std::exchange(weights[first], -1.0F);
    const auto second = std::ranges::max_element(weights) - weights.begin();
    const float both = (of_first + weights[second]) * valid;
    by_row_.push_back({row, first, of_first / both});
    by_row_.push_back({row, second, weights[second] / both});
  }
  sort_by_expert(options.experts);
}

/// The rows of an expert stay in their order.
void Routing::sort_by_expert(int64_t experts) {
  ends_.assign(static_cast<size_t>(experts), 0);
  for (const Choice& choice : by_row_) ++ends_[choice.expert];
  int64_t first = 0;
  for (int64_t& end : ends_) first += std::exchange(end, first);  // now where each begins
  by_expert_.resize(by_row_.size());
  for (const Choice& choice : by_row_) by_expert_[ends_[choice.expert]++] = choice;
}

int64_t Routing::bytes_of_row(const architecture::TransformerOptions& options) {
  constexpr int64_t kGrowth = 2;  // of a vector
  return kGrowth * options.experts_per_token * static_cast<int64_t>(2 * sizeof(Choice));
}

}  // namespace ventris::layers
