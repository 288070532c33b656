#pragma once
#include <torch/torch.h>

namespace ventris::attention {

/// The positions that a mask of self-attention to x [batch, len, d_model] does not hide from all: [batch|1, len] bool.
/// mask bool [batch|1, 1, len|1] or, if `causal`, [batch|1, len, len], whose last row counts; undefined = hides none.
/// Throws c10::Error with the name of the `kind` of attention for other masks.
torch::Tensor visible_positions(const torch::Tensor& mask, const torch::Tensor& x, bool causal, const char* kind);

}  // namespace ventris::attention
