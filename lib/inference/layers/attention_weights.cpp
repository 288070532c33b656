#include "layers/attention_weights.h"

#include <algorithm>
#include <cmath>

namespace ventris::layers {
namespace {

using architecture::AttentionScore;
using architecture::TransformerOptions;

const float kLargestLogScale = std::log(100.0F);  // of cosine, as in attention::Score

float query_scale(const TransformerOptions& options) {
  return 1.0F / std::sqrt(static_cast<float>(options.key_width()));
}

/// x [heads * width, columns] = the transposed matrix of each head times its part of x; matrices [heads, width, width].
void multiply_heads(const std::vector<float>& matrices, size_t heads, size_t width, std::vector<float>& x) {
  const size_t columns = x.size() / (heads * width);
  std::vector<double> sums(width * columns);
  for (size_t head = 0; head < heads; ++head) {
    std::fill(sums.begin(), sums.end(), 0);
    float* part = x.data() + head * width * columns;
    for (size_t from = 0; from < width; ++from) {
      for (size_t to = 0; to < width; ++to) {
        const auto factor = static_cast<double>(matrices[(head * width + from) * width + to]);
        for (size_t i = 0; i < columns; ++i) {
          sums[to * columns + i] += factor * static_cast<double>(part[from * columns + i]);
        }
      }
    }
    std::transform(sums.begin(), sums.end(), part, [](double sum) { return static_cast<float>(sum); });
  }
}

}  // namespace

void scaled_queries(const TransformerOptions& options, std::vector<float>& x) {
  const float factor = query_scale(options);
  for (float& value : x) value *= factor;
}

void lengths_of_queries(const TransformerOptions& /*options*/, std::vector<float>& x) {
  for (float& value : x) value = std::exp(std::min(value, kLargestLogScale));  // in this order, NaN stays
}

void softmax(const TransformerOptions& /*options*/, std::vector<float>& x) {
  const float largest = *std::max_element(x.begin(), x.end());
  float sum = 0;
  for (float& value : x) sum += value = std::exp(value - largest);
  for (float& value : x) value /= sum;
}

float query_factor(const TransformerOptions& options) {
  return options.attention_score == AttentionScore::kScaledDot ? query_scale(options) : 1.0F;
}

void adapt_queries(const TransformerOptions& options, const std::string& block, const ReadTensor& read,
                   std::vector<float>& x) {
  const int64_t width = options.key_width();
  switch (options.attention_score) {
    case AttentionScore::kScaledDot: scaled_queries(options, x); break;
    case AttentionScore::kBilinear:
      multiply_heads(read(block + ".score.weight", {options.heads, width, width}), static_cast<size_t>(options.heads),
                     static_cast<size_t>(width), x);
      break;
    case AttentionScore::kDot:
    case AttentionScore::kAdditive:
    case AttentionScore::kCosine:
    case AttentionScore::kGaussian: break;
  }
}

}  // namespace ventris::layers
