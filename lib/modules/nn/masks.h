#pragma once
#include <torch/torch.h>

/// All masks are bool; true = may look.
namespace ventris::nn {

/// [1, size, size]: position i may look at positions 0 to i.
torch::Tensor subsequent_mask(int64_t size, torch::Device device = torch::kCPU);

/// ids [batch, len] -> [batch, 1, len]: all positions may look at what is not padding.
torch::Tensor padding_mask(const torch::Tensor& ids, int64_t pad);

/// lengths [batch] (long), the longest of which is `most` -> [batch, 1, most]: all may look at the first positions.
torch::Tensor length_mask(const torch::Tensor& lengths, int64_t most);

/// ids [batch, len] -> [batch, len, len]: subsequent_mask and padding_mask.
torch::Tensor target_mask(const torch::Tensor& ids, int64_t pad);

}  // namespace ventris::nn
