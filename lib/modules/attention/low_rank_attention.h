#pragma once
#include <torch/torch.h>

#include "attention/multi_head_attention.h"

namespace ventris::attention {

/// Self-attention to `size` mixtures of the keys, and as many of the values, instead of all positions: time and memory
/// are proportional to the length. It cannot be causal, because a mixture contains all positions. Its weights do not
/// belong to positions, so they are not kept for AttentionWatch.
/// Source: Wang et al. 2020 (Linformer), section 4, with matrices of each layer's own that its heads share.
class LowRankAttentionImpl : public MultiHeadAttentionImpl {
 public:
  /// `max_len`: the longest sequence. Throws std::invalid_argument unless 1 <= size <= max_len.
  LowRankAttentionImpl(const MultiHeadAttentionOptions& settings, int64_t size, int64_t max_len);

  /// query, key and value: the same tensor [batch, len, d_model]. mask bool [batch|1, 1, len|1]; hidden positions are
  /// left out of the mixtures. Returns [batch, len, d_model].
  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                        const torch::Tensor& mask = {}) override;
  void pretty_print(std::ostream& out) const override;

  torch::Tensor key_projection, value_projection;  ///< [size, max_len] each; a sequence uses the first columns
};
TORCH_MODULE(LowRankAttention);

}  // namespace ventris::attention
