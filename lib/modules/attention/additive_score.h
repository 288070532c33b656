#pragma once
#include <torch/torch.h>

namespace ventris::attention {

/// vector . tanh(query + key) for each query and key of each head.
/// query [batch, heads, q_len, width], key [batch, heads, k_len, width], vector [heads, width] -> [batch, heads, q_len,
/// k_len]. The tanh of all pairs is never in memory at once: a few queries at a time, and the backward pass computes it
/// again. It has no second derivative. Throws c10::Error for other shapes. Source: Bahdanau et al. 2015, appendix
/// A.1.2; the two matrices there are the projections of queries and keys.
torch::Tensor additive_scores(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& vector);

}  // namespace ventris::attention
