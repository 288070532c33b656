#include "layers/packed_attention.h"

#include <algorithm>

namespace ventris::layers {
namespace {

using arithmetic::kPanel;
using arithmetic::panels_of;

using architecture::TransformerOptions;

int64_t keys_size(const TransformerOptions& options, int64_t len) {
  return panels_of(len) * kPanel * options.key_width();
}
int64_t terms_size(const TransformerOptions& options, int64_t len) {
  return has_key_terms(options) ? panels_of(len) * kPanel : 0;
}
int64_t values_size(const TransformerOptions& options, int64_t len) {
  return panels_of(options.value_width()) * kPanel * len;
}

/// Of one head.
int64_t head_size(const TransformerOptions& options, int64_t len) {
  return keys_size(options, len) + terms_size(options, len) + values_size(options, len);
}

}  // namespace

int64_t packed_size(const TransformerOptions& options, int64_t len) { return options.heads * head_size(options, len); }

PackedHead packed_head(const TransformerOptions& options, const float* packed, int64_t len, int64_t head) {
  const float* keys = packed + head * head_size(options, len);
  const float* terms = keys + keys_size(options, len);
  return {keys, has_key_terms(options) ? terms : nullptr, terms + terms_size(options, len)};
}

float* pack_columns(const float* vectors, int64_t stride, int64_t len, int64_t width, float* packed) {
  const int64_t size = panels_of(len) * kPanel * width;
  std::fill_n(packed, size, 0.0F);
  for (int64_t j = 0; j < len; ++j) {
    float* column = packed + j / kPanel * width * kPanel + j % kPanel;
    for (int64_t i = 0; i < width; ++i) column[i * kPanel] = vectors[j * stride + i];
  }
  return packed + size;
}

float* pack_rows(const float* vectors, int64_t stride, int64_t len, int64_t width, float* packed) {
  for (int64_t panel = 0; panel < panels_of(width); ++panel) {
    const int64_t columns = std::min(kPanel, width - panel * kPanel);
    for (int64_t j = 0; j < len; ++j, packed += kPanel) {
      std::copy_n(vectors + j * stride + panel * kPanel, columns, packed);
      std::fill_n(packed + columns, kPanel - columns, 0.0F);
    }
  }
  return packed;
}

void pack_keys_values(const Kernels& kernels, const TransformerOptions& options, const float* keys, const float* values,
                      int64_t stride, int64_t len, float* packed) {
  const int64_t d_k = options.key_width(), d_v = options.value_width();
  for (int64_t head = 0; head < options.heads; ++head) {
    packed = pack_columns(keys + head * d_k, stride, len, d_k, packed);
    if (has_key_terms(options)) {
      key_terms(kernels, keys + head * d_k, stride, len, /*heads=*/1, d_k, packed);
      std::fill(packed + len, packed + terms_size(options, len), 0.0F);
      packed += terms_size(options, len);
    }
    packed = pack_rows(values + head * d_v, stride, len, d_v, packed);
  }
}

void multiply_scores(const Kernels& kernels, const Score& score, int64_t head, ProductF32 product, const float* terms) {
  if (!score.vector.empty()) {
    kernels.additive_scores(product, score.vector.data() + head * product.k);
    return;
  }
  product.epilogue.bias = terms;
  kernels.product_f32(product);
}

void attend(const Kernels& kernels, const TransformerOptions& options, const Score& score, const float* queries,
            int64_t stride, int64_t rows, const float* packed, int64_t len, float* out, Workspace& work,
            float* weights) {
  const int64_t d_k = options.key_width(), d_v = options.value_width(), width = options.heads * d_v;
  float* scores = work.scores.room(rows * len);
  for (int64_t head = 0; head < options.heads; ++head) {
    const PackedHead seen = packed_head(options, packed, len, head);
    multiply_scores(kernels, score, head, {queries + head * d_k, stride, rows, seen.keys, d_k, len, scores, len},
                    seen.terms);
    kernels.softmax(scores, len, rows, len);
    for (int64_t row = 0; weights != nullptr && row < rows; ++row) {
      std::copy_n(scores + row * len, len, weights + (row * options.heads + head) * len);
    }
    kernels.product_f32({scores, len, rows, seen.values, len, d_v, out + head * d_v, width});
  }
}

}  // namespace ventris::layers
