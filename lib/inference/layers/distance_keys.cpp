#include "layers/distance_keys.h"

#include <algorithm>
#include <vector>

#include "architecture/sinusoids.h"
#include "layers/packed_attention.h"
#include "layers/widths.h"

namespace ventris::layers {

using arithmetic::panels_of;

DistanceKeys::DistanceKeys(const Kernels& kernels, const architecture::TransformerOptions& options, const Matrix& w,
                           Side side)
    : kernels_(kernels),
      options_(options),
      w_(w),
      most_(std::min(options.segment + options.segment_memory, options.max_positions) - 1),
      least_(side == Side::kDecoder ? 0 : 1 - std::min(options.segment, options.max_positions)) {}

int64_t DistanceKeys::most_of_decoder(const architecture::TransformerOptions& options) {
  return std::min(options.segment + options.segment_memory, options.max_positions) + kPanel;
}

int64_t DistanceKeys::most_of_encoder(const architecture::TransformerOptions& options) {
  return most_of_decoder(options) + std::min(options.segment, options.max_positions);
}

int64_t DistanceKeys::bytes(const architecture::TransformerOptions& options, int64_t distances) {
  return arithmetic::grown(kFloat * key_size(options) * distances);
}

void DistanceKeys::reserve(int64_t largest, int64_t smallest) {
  if (largest <= largest_ && smallest >= smallest_) return;
  largest_ = std::max(largest_, std::min(most_, std::max<int64_t>(2 * largest, 32)));
  smallest_ = std::min(smallest_, std::max(least_, std::min<int64_t>(2 * smallest, -32)));
  compute();
}

void DistanceKeys::compute() {
  const int64_t count = largest_ - smallest_ + 1, width = options_.d_model,
                keys = options_.heads * options_.key_width();
  std::vector<float> vectors(static_cast<size_t>(count * width)), projected(static_cast<size_t>(count * keys));
  for (int64_t i = 0; i < count; ++i) architecture::sinusoids(largest_ - i, width, vectors.data() + i * width);
  Inputs inputs;
  w_.multiply(kernels_, {vectors.data(), width, count}, {projected.data(), keys}, inputs);
  float* packed = packed_.room(panels_of(count) * kPanel * keys);
  for (int64_t head = 0; head < options_.heads; ++head) {
    packed = pack_columns(projected.data() + head * options_.key_width(), keys, count, options_.key_width(), packed);
  }
}

int64_t DistanceKeys::multiply(int64_t head, const float* queries, int64_t stride, int64_t rows, int64_t largest,
                               int64_t smallest, float* out, int64_t ldo) const {
  const int64_t d_k = options_.key_width(), count = largest_ - smallest_ + 1;
  const int64_t column = largest_ - largest, first = column / kPanel * kPanel;
  const float* keys = packed_.data() + head * panels_of(count) * kPanel * d_k + first * d_k;
  kernels_.product_f32({queries, stride, rows, keys, d_k, largest_ - smallest + 1 - first, out, ldo});
  return column - first;
}

void add_biases(const SelfAttentionWeights& weights, int64_t size, float* query, float* of_distances) {
  for (int64_t i = 0; i < size; ++i) {
    const auto at = static_cast<size_t>(i);
    of_distances[i] = query[i] + weights.distance_bias[at];
    query[i] += weights.content_bias[at];
  }
}

}  // namespace ventris::layers
