#include "layers/routing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ventris::layers {

void Routing::choose(float* logits, int64_t rows, const architecture::TransformerOptions& options) {
  picks_.clear();
  for (int64_t row = 0; row < rows; ++row, logits += options.experts) {
    const std::span<float> weights(logits, static_cast<size_t>(options.experts));  // exp(logits) in a moment
    const float most = *std::ranges::max_element(weights);
    double sum = 0;
    for (float& weight : weights) sum += weight = std::exp(weight - most);
    const float valid = std::isnan(sum) ? std::numeric_limits<float>::quiet_NaN() : 1;  // a logit that is NaN is seen
    const auto first = std::ranges::max_element(weights) - weights.begin();
    if (options.experts_per_token == 1) {
      picks_.push_back({first, static_cast<float>(weights[first] / sum)});
      continue;
    }
    const float of_first = std::exchange(weights[first], -1.0F);
    const auto second = std::ranges::max_element(weights) - weights.begin();
    const float both = (of_first + weights[second]) * valid;
    picks_.push_back({first, of_first / both});
    picks_.push_back({second, weights[second] / both});
  }
  sort(rows, options);
}

/// By expert; the rows of an expert stay in their order.
void Routing::sort(int64_t rows, const architecture::TransformerOptions& options) {
  const auto each_pick = [&](const auto& visit) {
    for (int64_t i = 0; i < rows * options.experts_per_token; ++i) visit(i / options.experts_per_token, picks_[i]);
  };
  ends_.assign(static_cast<size_t>(options.experts), 0);
  each_pick([&](int64_t /*row*/, const Pick& pick) { ++ends_[pick.expert]; });
  int64_t first = 0;
  for (int64_t& end : ends_) first += std::exchange(end, first);  // now where each begins
  choices_.resize(picks_.size());
  each_pick([&](int64_t row, const Pick& pick) { choices_[ends_[pick.expert]++] = {row, pick.share}; });
}

int64_t Routing::bytes_of_row(const architecture::TransformerOptions& options) {
  constexpr int64_t kGrowth = 2;  // of a vector
  return kGrowth * options.experts_per_token * static_cast<int64_t>(sizeof(Pick) + sizeof(Choice));
}

}  // namespace ventris::layers
