#include "layers/packed_attention.h"

#include <algorithm>
#include <cstring>

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

using Panel = float[kPanel];
using Four = float __attribute__((vector_size(16)));

Four four(const float* from) {
  Four values;
  std::memcpy(&values, from, sizeof values);
  return values;
}

/// Four vectors [width], `stride` elements apart, as four columns of a packed matrix.
void transpose_four(const float* vectors, int64_t stride, int64_t width, float* packed) {
  int64_t i = 0;
  for (; i + 4 <= width; i += 4) {
    const float* from = vectors + i;
    if (i % 16 == 0) {  // those that come after the panel
      for (int64_t j = 0; j < 4; ++j) __builtin_prefetch(from + (kPanel + j) * stride);
    }
    const Four a = four(from), b = four(from + stride), c = four(from + 2 * stride), d = four(from + 3 * stride);
    const Four ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab_end = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Four cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd_end = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    const Four rows[] = {__builtin_shufflevector(ab, cd, 0, 1, 4, 5), __builtin_shufflevector(ab, cd, 2, 3, 6, 7),
                         __builtin_shufflevector(ab_end, cd_end, 0, 1, 4, 5),
                         __builtin_shufflevector(ab_end, cd_end, 2, 3, 6, 7)};
    for (const Four& row : rows) {
      std::memcpy(packed, &row, sizeof row);
      packed += kPanel;
    }
  }
  for (; i < width; ++i, packed += kPanel) {
    for (int64_t j = 0; j < 4; ++j) packed[j] = vectors[j * stride + i];
  }
}

}  // namespace

int64_t packed_size(const TransformerOptions& options, int64_t len) { return options.heads * head_size(options, len); }

PackedWidth packed_width(const TransformerOptions& options) {
  const int64_t terms = has_key_terms(options) ? 1 : 0;
  return {options.heads * (options.key_width() + terms), options.heads * panels_of(options.value_width()) * kPanel};
}

PackedHead packed_head(const TransformerOptions& options, const PackedSequence& packed, int64_t head) {
  const float* keys = packed.data + head * head_size(options, packed.len);
  const float* terms = keys + keys_size(options, packed.len);
  return {keys, has_key_terms(options) ? terms : nullptr, terms + terms_size(options, packed.len)};
}

float* pack_columns(const float* vectors, int64_t stride, int64_t len, int64_t width, float* packed) {
  for (int64_t first = 0; first < len; first += kPanel, packed += width * kPanel) {
    const int64_t columns = std::min(kPanel, len - first), by_fours = columns / 4 * 4;
    if (columns < kPanel) std::fill_n(packed, width * kPanel, 0.0F);
    for (int64_t j = 0; j < by_fours; j += 4) transpose_four(vectors + j * stride, stride, width, packed + j);
    for (int64_t j = by_fours; j < columns; ++j) {
      for (int64_t i = 0; i < width; ++i) packed[i * kPanel + j] = vectors[j * stride + i];
    }
    vectors += kPanel * stride;
  }
  return packed;
}

float* pack_rows(const float* vectors, int64_t stride, int64_t len, int64_t width, float* packed) {
  for (int64_t panel = 0; panel < panels_of(width); ++panel, vectors += kPanel) {
    const int64_t columns = std::min(kPanel, width - panel * kPanel);
    if (columns == kPanel) {  // a number that the compiler knows
      for (int64_t j = 0; j < len; ++j, packed += kPanel) std::memcpy(packed, vectors + j * stride, sizeof(Panel));
      continue;
    }
    for (int64_t j = 0; j < len; ++j, packed += kPanel) {
      std::copy_n(vectors + j * stride, columns, packed);
      std::fill_n(packed + columns, kPanel - columns, 0.0F);
    }
  }
  return packed;
}

void pack_keys_values(const Context& context, const float* keys, const float* values, int64_t stride, int64_t len,
                      float* packed) {
  const TransformerOptions& options = context.options;
  const int64_t d_k = options.key_width(), d_v = options.value_width();
  for (int64_t head = 0; head < options.heads; ++head) {
    packed = pack_columns(keys + head * d_k, stride, len, d_k, packed);
    if (has_key_terms(options)) {
      key_terms(context.kernels, keys + head * d_k, stride, len, /*heads=*/1, d_k, packed);
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

/// As attend(), with scores of an additive kind.
void attend_additively(const Context& context, const Score& score, const Queries& queries, const PackedSequence& packed,
                       float* out, float* weights) {
  const Kernels& kernels = context.kernels;
  const TransformerOptions& options = context.options;
  const int64_t d_k = options.key_width(), d_v = options.value_width(), width = options.heads * d_v;
  const int64_t rows = queries.rows, len = packed.len;
  float* scores = context.work.scores.room(rows * len);
  for (int64_t head = 0; head < options.heads; ++head) {
    const PackedHead seen = packed_head(options, packed, head);
    multiply_scores(kernels, score, head,
                    {queries.data + head * d_k, queries.stride, rows, seen.keys, d_k, len, scores, len}, seen.terms);
    kernels.softmax(scores, len, rows, len);
    for (int64_t row = 0; weights != nullptr && row < rows; ++row) {
      std::copy_n(scores + row * len, len, weights + (row * options.heads + head) * len);
    }
    kernels.product_f32({scores, len, rows, seen.values, len, d_v, out + head * d_v, width});
  }
}

void attend(const Context& context, const Score& score, const Queries& queries, const PackedSequence& packed,
            float* out, float* weights, const PackedSequence& next) {
  if (!score.vector.empty()) return attend_additively(context, score, queries, packed, out, weights);
  const TransformerOptions& options = context.options;
  const PackedHead first = packed_head(options, packed, 0);
  float* scores = context.work.scores.room(arithmetic::packed_scores_size(packed.len));
  context.kernels.packed_attention({queries.data, queries.stride, queries.rows, first.keys, first.terms, first.values,
                                    head_size(options, packed.len), packed.len, options.heads, options.key_width(),
                                    options.value_width(), scores, out, weights, next.data,
                                    head_size(options, next.len)});
}

void attend_to_prefixes(const Context& context, const Queries& queries, const PackedSequence& packed, float* out) {
  const TransformerOptions& options = context.options;
  const PackedHead first = packed_head(options, packed, 0);
  context.kernels.packed_attention({.queries = queries.data,
                                    .ldq = queries.stride,
                                    .rows = queries.rows,
                                    .keys = first.keys,
                                    .terms = first.terms,
                                    .values = first.values,
                                    .head_size = head_size(options, packed.len),
                                    .len = packed.len,
                                    .heads = options.heads,
                                    .d_k = options.key_width(),
                                    .d_v = options.value_width(),
                                    .scores = context.work.scores.room(arithmetic::packed_scores_size(packed.len)),
                                    .out = out,
                                    .weights = nullptr,
                                    .causal = true});
}

}  // namespace ventris::layers
