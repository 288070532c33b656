#include "layers/attention_weights.h"

#include <algorithm>
#include <cmath>

namespace ventris::layers {
namespace {

using arithmetic::Precision;

using architecture::AttentionScore;
using architecture::SelfAttention;
using architecture::TransformerOptions;

const float kLargestLogScale = std::log(100.0F);  // of cosine, as in attention::Score

float query_scale(const TransformerOptions& options) {
  return 1.0F / std::sqrt(static_cast<float>(options.key_width()));
}

std::vector<float> scaled(std::vector<float> x, float factor) {
  for (float& value : x) value *= factor;
  return x;
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

Score pack_score(const TransformerOptions& options, const std::string& block, const ReadTensor& read) {
  Score score;
  if (options.attention_score == AttentionScore::kCosine) {
    std::vector<float> lengths = read(block + ".score.log_scale", {options.heads});
    for (float& length : lengths) length = std::exp(std::min(length, kLargestLogScale));  // in this order, NaN stays
    score.lengths = std::move(lengths);
  }
  if (options.attention_score == AttentionScore::kAdditive) {
    score.vector = read(block + ".score.vector", {options.heads, options.key_width()});
  }
  return score;
}

SelfAttentionWeights pack_self_attention(const TransformerOptions& options, const std::string& block, Side side,
                                         const ReadTensor& read) {
  SelfAttentionWeights weights;
  weights.score = pack_score(options, block, read);
  const int64_t keys = options.heads * options.key_width();
  if (options.self_attention == SelfAttention::kLowRank && side == Side::kEncoder) {
    const std::vector<int64_t> shape{options.low_rank_size, options.max_positions};
    weights.key_mixtures = read(block + ".key_projection", shape);
    weights.value_mixtures = read(block + ".value_projection", shape);
  }
  if (options.self_attention == SelfAttention::kSegment) {
    const std::vector<float> distances = read(block + ".r_net.weight", {keys, options.d_model});
    weights.distances = Matrix(distances.data(), nullptr, keys, options.d_model, Precision::kF32);
    weights.content_bias = scaled(read(block + ".r_w_bias", {keys}), query_scale(options));
    weights.distance_bias = scaled(read(block + ".r_r_bias", {keys}), query_scale(options));
  }
  return weights;
}

void adapt_queries(const TransformerOptions& options, const std::string& block, const ReadTensor& read,
                   std::vector<float>& x) {
  // Linear self-attention has no scores: it takes features of the queries as they are.
  if (options.self_attention == SelfAttention::kLinear && block.ends_with(".self_attn")) return;
  if (options.attention_score == AttentionScore::kScaledDot) x = scaled(std::move(x), query_scale(options));
  if (options.attention_score == AttentionScore::kBilinear) {
    const int64_t width = options.key_width();
    multiply_heads(read(block + ".score.weight", {options.heads, width, width}), static_cast<size_t>(options.heads),
                   static_cast<size_t>(width), x);
  }
}

}  // namespace ventris::layers
