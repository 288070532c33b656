#include "layers/packed_score.h"

#include <algorithm>
#include <cmath>

namespace ventris::layers {
namespace {

constexpr float kSmallestNorm = 1e-12F;  // shorter vectors count as this long, as in attention::Score

/// Gives vectors of each head a length: lengths[head], or 1 if it is null.
void set_lengths(const Context& context, const float* lengths, float* x, int64_t stride, int64_t rows) {
  const int64_t heads = context.options.heads, width = context.options.key_width();
  float* squares = context.work.squares.room(rows * heads);
  context.kernels.squares(x, stride, rows, heads, width, squares);
  for (int64_t row = 0; row < rows; ++row, x += stride) {
    for (int64_t head = 0; head < heads; ++head) {
      const float norm = std::max(std::sqrt(squares[row * heads + head]), kSmallestNorm);  // in this order, NaN stays
      const float factor = (lengths == nullptr ? 1.0F : lengths[head]) / norm;
      for (int64_t i = head * width; i < (head + 1) * width; ++i) x[i] *= factor;
    }
  }
}

}  // namespace

void prepare_queries(const Context& context, const Score& score, float* queries, int64_t stride, int64_t rows) {
  if (!score.lengths.empty()) set_lengths(context, score.lengths.data(), queries, stride, rows);
}

void prepare_keys(const Context& context, const Score& score, float* keys, int64_t stride, int64_t rows) {
  if (!score.lengths.empty()) set_lengths(context, nullptr, keys, stride, rows);
}

void key_terms(const Kernels& kernels, const float* keys, int64_t stride, int64_t rows, int64_t heads, int64_t width,
               float* terms) {
  kernels.squares(keys, stride, rows, heads, width, terms);
  for (int64_t i = 0; i < rows * heads; ++i) terms[i] *= -0.5F;
}

}  // namespace ventris::layers
