#pragma once
#include <torch/torch.h>

/// All masks are bool; true = may look.
namespace ventris::nn {

/// [1, size, size]: position i may look at positions 0 to i.
torch::Tensor subsequent_mask(int64_t size, torch::Device device = torch::kCPU);

/// ids [batch, len] -> [batch, 1, len]: all positions may look at what is not padding.
torch::Tensor padding_mask(const torch::Tensor& ids, int64_t pad);

/// ids [batch, len] -> [batch, len, len]: both of the above.
torch::Tensor target_mask(const torch::Tensor& ids, int64_t pad);

}  // namespace ventris::nn
