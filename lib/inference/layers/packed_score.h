#pragma once
#include <cstdint>

#include "arithmetic/elements.h"
#include "layers/context.h"

/// How well queries fit keys. For every AttentionScore but kAdditive, the score is the product of a prepared query and
/// a prepared key, plus a term of the key. What a score multiplies queries with is already a part of their projection
/// (adapt_queries in layers/attention_weights.h).
namespace ventris::layers {

using arithmetic::Elements;

/// The parameters of the score of an attention block.
struct Score {
  Elements<float> lengths;  ///< kCosine: the length of prepared queries, [heads]; otherwise empty
  Elements<float> vector;   ///< kAdditive: [heads * d_k]; otherwise empty
};

/// Whether scores have a term of the key, which is -|k|^2 / 2.
inline bool has_key_terms(const architecture::TransformerOptions& options) {
  return options.attention_score == architecture::AttentionScore::kGaussian;
}

/// Changes projected queries [rows, heads * d_k], which are `stride` elements apart, into those that scores are
/// computed of. Does nothing for most scores.
void prepare_queries(const Context& context, const Score& score, float* queries, int64_t stride, int64_t rows);
/// The same for keys.
void prepare_keys(const Context& context, const Score& score, float* keys, int64_t stride, int64_t rows);

/// The terms of keys [rows, heads * width] -> terms [rows, heads]. Only if has_key_terms().
void key_terms(const Kernels& kernels, const float* keys, int64_t stride, int64_t rows, int64_t heads, int64_t width,
               float* terms);

}  // namespace ventris::layers
