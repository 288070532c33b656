#include "engine/layers.h"

#include <algorithm>
#include <cmath>

namespace ventris::engine {
namespace {

using architecture::TransformerOptions;

int64_t packed_keys(const TransformerOptions& options, int64_t len) {
  return panels_of(len) * kPanel * options.key_width();
}

int64_t packed_values(const TransformerOptions& options, int64_t len) {
  return panels_of(options.value_width()) * kPanel * len;
}

}  // namespace

void normalise(const Kernels& kernels, const TransformerOptions& options, const Norm& norm, const float* x,
               int64_t rows, float* out) {
  kernels.layer_norm(x, rows, options.d_model, norm.weight.data(), norm.bias.data(),
                     static_cast<float>(options.norm_epsilon), out);
}

void feed_forward(const Kernels& kernels, const TransformerOptions& options, const FeedForward& weights,
                  const float* input, int64_t rows, float* x, Workspace& work) {
  const bool gelu = options.activation == architecture::Activation::kGelu;
  const Activation activation = gelu ? Activation::kGelu : Activation::kRelu;
  float* hidden = work.hidden.room(rows * options.d_ff);
  weights.w_1.multiply(kernels, input, options.d_model, rows, hidden, options.d_ff, work.inputs,
                       {.activation = activation});
  weights.w_2.multiply(kernels, hidden, options.d_ff, rows, x, options.d_model, work.inputs, {.add = true});
}

void embed(const Kernels& kernels, const TransformerOptions& options, const Embedding& weights,
           std::span<const int32_t> ids, std::span<const int64_t> positions, float* x) {
  const int64_t width = options.d_model;
  const auto factor = static_cast<float>(std::sqrt(static_cast<double>(width)));
  for (size_t row = 0; row < ids.size(); ++row) {
    float* to = x + static_cast<int64_t>(row) * width;
    weights.tokens.row(ids[row], factor, to);
    const float* position = weights.position(positions[row]);
    for (int64_t i = 0; i < width; ++i) to[i] += position[i];
  }
  if (weights.norm.weight.empty()) return;
  normalise(kernels, options, weights.norm, x, static_cast<int64_t>(ids.size()), x);
}

int64_t packed_size(const TransformerOptions& options, int64_t len) {
  return options.heads * (packed_keys(options, len) + packed_values(options, len));
}

void pack_keys_values(const TransformerOptions& options, const float* keys, const float* values, int64_t stride,
                      int64_t len, float* packed) {
  const int64_t d_k = options.key_width(), d_v = options.value_width();
  for (int64_t head = 0; head < options.heads; ++head) {
    std::fill_n(packed, packed_keys(options, len), 0.0F);
    for (int64_t j = 0; j < len; ++j) {
      float* column = packed + j / kPanel * d_k * kPanel + j % kPanel;
      for (int64_t i = 0; i < d_k; ++i) column[i * kPanel] = keys[j * stride + head * d_k + i];
    }
    packed += packed_keys(options, len);
    for (int64_t panel = 0; panel < panels_of(d_v); ++panel) {
      const int64_t width = std::min(kPanel, d_v - panel * kPanel);
      for (int64_t j = 0; j < len; ++j, packed += kPanel) {
        std::copy_n(values + j * stride + head * d_v + panel * kPanel, width, packed);
        std::fill_n(packed + width, kPanel - width, 0.0F);
      }
    }
  }
}

void attend(const Kernels& kernels, const TransformerOptions& options, const float* queries, int64_t stride,
            int64_t rows, const float* packed, int64_t len, float* out, Workspace& work, float* weights) {
  const int64_t d_k = options.key_width(), d_v = options.value_width(), width = options.heads * d_v;
  float* scores = work.scores.room(rows * len);
  for (int64_t head = 0; head < options.heads; ++head) {
    kernels.product_f32({queries + head * d_k, stride, rows, packed, d_k, len, scores, len});
    packed += packed_keys(options, len);
    kernels.softmax(scores, len, rows, len);
    for (int64_t row = 0; weights != nullptr && row < rows; ++row) {
      std::copy_n(scores + row * len, len, weights + (row * options.heads + head) * len);
    }
    kernels.product_f32({scores, len, rows, packed, len, d_v, out + head * d_v, width});
    packed += packed_values(options, len);
  }
}

}  // namespace ventris::engine
