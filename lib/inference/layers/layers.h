#pragma once
#include <cstdint>
#include <span>

#include "layers/weights.h"

/// The blocks of a Transformer, on rows of floats [rows, d_model].
namespace ventris::layers {

/// Throws std::invalid_argument if an id is outside the vocabulary.
void check_ids(std::span<const int32_t> ids, int64_t vocab);

/// x = x + block(norm(x)), or norm(x + block(x)) with NormPlace::kPost. The block gets its input [rows, d_model] and
/// adds its result to x.
template <typename Block>
void sublayer(const Context& context, const Norm& norm, float* x, int64_t rows, const Block& block) {
  if (context.options.norm == architecture::NormPlace::kPre) {
    float* normed = context.work.normed.room(rows * context.options.d_model);
    normalise(context, norm, x, rows, normed);
    block(normed);
  } else {
    block(x);
    normalise(context, norm, x, rows, x);
  }
}

/// x [rows, d_model] += w_2(activation(w_1(input))), or w_2(activation(w_1(input)) * w_3(input)) if it is gated. With
/// experts, a row takes those that the router gives the most weight, and no row depends on the others.
void feed_forward(const Context& context, const FeedForward& weights, const float* input, int64_t rows, float* x);

/// x [ids, d_model] = the vectors of tokens and positions, added, and normalised if the model does so; ids[i] stands at
/// positions[i].
void embed(const Context& context, const Embedding& weights, std::span<const int32_t> ids,
           std::span<const int64_t> positions, float* x);

}  // namespace ventris::layers
