#pragma once
#include <torch/torch.h>

/// Rotary positions: queries and keys are rotated by their positions, so that a score depends on the distance.
/// Source: Su et al. 2021, section 3.4.2.
namespace ventris::attention {

/// The cosines and sines of positions 0 to count - 1 for heads with `width` features, which must be even: [count,
/// width / 2, 2]. The angle of position p and pair i is p * 10000^(-2i / width).
torch::Tensor rotations(int64_t count, int64_t width);

/// Rotates each pair of neighbouring features (a, b) in the first `columns` columns of x: (a cos - b sin, a sin + b
/// cos). x [..., len, n * width], where the columns of some heads stand side by side; `turns` [len, width / 2, 2].
/// Returns the same shape and type, computed at least in f32. It has no second derivative.
torch::Tensor rotate(const torch::Tensor& x, const torch::Tensor& turns, int64_t columns);

}  // namespace ventris::attention
