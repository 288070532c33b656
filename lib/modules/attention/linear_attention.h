#pragma once
#include <torch/torch.h>

#include "attention/multi_head_attention.h"

namespace ventris::attention {

/// Self-attention whose weights are products f(q) · f(k) divided by their sum, with f(x) = elu(x) + 1. Keys and values
/// are summed first, so time and memory are proportional to the length. Dropout of attention weights has no effect,
/// because there are none unless the block is watched. Computed at least in f32, also under autocast.
/// Source: Katharopoulos et al. 2020, sections 3.2 to 3.4.
class LinearAttentionImpl : public MultiHeadAttentionImpl {
 public:
  static constexpr double kSmallestSum = 1e-6;  ///< smaller sums of weights count as this

  /// `causal`: no position sees a later one. Throws std::invalid_argument for a score other than scaled_dot.
  LinearAttentionImpl(const MultiHeadAttentionOptions& settings, bool causal);

  /// query, key and value: the same tensor [batch, len, d_model]. mask bool [batch|1, 1, len|1] or, if causal,
  /// [batch|1, len, len], whose last row says which positions are hidden from all. Returns [batch, len, d_model].
  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                        const torch::Tensor& mask = {}) override;

  /// What step() keeps of `rows` empty prefixes: zeros [rows, heads, key_width, value_width + 1], the sums of f(k)
  /// times value, and of f(k).
  torch::Tensor empty_sums(int64_t rows) const;
  /// The same as the last position of forward() for prefixes that end with x [rows, 1, d_model]; adds it to `sums`.
  torch::Tensor step(const torch::Tensor& x, torch::Tensor& sums);
  void pretty_print(std::ostream& out) const override;

 private:
  torch::Tensor features(size_t which, const torch::Tensor& x);
  torch::Tensor values(const torch::Tensor& x);
  torch::Tensor finish(const torch::Tensor& sums);
  bool causal_;
};
TORCH_MODULE(LinearAttention);

}  // namespace ventris::attention
