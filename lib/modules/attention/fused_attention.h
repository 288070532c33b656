#pragma once
#include <torch/torch.h>

namespace ventris::attention {

/// Projected queries, keys and values. Each tensor is [batch, len, n * d_model] with n of them side by side:
/// {q, k, v}, {q, k|v} or {q|k|v}; tensors that are not needed are undefined.
struct Projections {
  torch::Tensor first, second, third;
};

/// Scaled dot-product attention with `heads` heads on a CPU, from projections to [batch, q_len, d_model] in one step.
/// Scores and weights are not kept; the backward pass computes them again. Type f32 or bf16.
/// mask bool [batch|1, q_len|1, k_len|1], true = may look (undefined = everywhere); a query with nowhere to look gives
/// zeros. `p` is the probability of dropping a weight, `seed` its random seed. Throws c10::Error for wrong sizes.
torch::Tensor cpu_attention(const Projections& projections, int64_t heads, const torch::Tensor& mask, double p,
                            int64_t seed);

}  // namespace ventris::attention
