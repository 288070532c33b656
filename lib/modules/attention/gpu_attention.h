#pragma once
#include <torch/torch.h>

namespace ventris::attention {

/// Scaled dot-product attention on a GPU by LibTorch's kernels that do not keep scores (Rabe and Staats 2021):
/// query [batch, heads, q_len, width], key and value [batch, heads, k_len, width] -> [batch, q_len, heads * width].
/// mask bool [batch|1, q_len|1, k_len], true = may look (undefined = everywhere); a query with nowhere to look gives
/// zeros. `p` is the probability of dropping a weight, by the default random generator of the device. The same input
/// and state of the generator give the same bytes, also in gradients, if heads are multiples of 16 bytes wide.
torch::Tensor gpu_attention(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                            const torch::Tensor& mask, double p);

}  // namespace ventris::attention
