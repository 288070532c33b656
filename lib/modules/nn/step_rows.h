#pragma once
#include <torch/torch.h>

/// What step models share: rows of different lengths, stacked.
namespace ventris::nn {

/// Appends the rows of `more` to those of `all` (undefined or without rows = none). Both are [rows, ...]; the shorter
/// one is padded with zeros at the end of dimension `dim`.
torch::Tensor stack_rows(const torch::Tensor& all, const torch::Tensor& more, int64_t dim);

}  // namespace ventris::nn
