#pragma once
#include <torch/torch.h>

#include <utility>

#include "nn/attention.h"
#include "nn/attention_watch.h"
#include "nn/dropout.h"
#include "nn/linear.h"

namespace ventris::nn {

/// Settings of one attention block. `d_model` must be a multiple of `heads`.
struct MultiHeadAttentionOptions {
  MultiHeadAttentionOptions(int64_t d_model, int64_t heads) : d_model_(d_model), heads_(heads) {}
  TORCH_ARG(int64_t, d_model);       ///< width of queries, keys, values and result
  TORCH_ARG(int64_t, heads);         ///< each sees d_model / heads features
  TORCH_ARG(double, dropout) = 0.1;  ///< probability of dropping an attention weight, in [0, 1)
};

/// Scaled dot-product attention over several heads.
/// Source: Vaswani et al. 2017, section 3.2.2; parameter names as in The Annotated Transformer.
class MultiHeadAttentionImpl : public torch::nn::Module, public AttentionBlock {
 public:
  /// Throws std::invalid_argument if `heads` does not divide `d_model`.
  explicit MultiHeadAttentionImpl(const MultiHeadAttentionOptions& options);

  /// query [batch, q_len, d_model]; key, value [batch, k_len, d_model];
  /// mask bool [batch|1, q_len|1, k_len|1], true = may look (undefined = everywhere).
  /// Returns [batch, q_len, d_model]. A query with nowhere to look gets zeros, never NaN.
  torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                        const torch::Tensor& mask = {});

  /// As forward; also returns the weights [batch, heads, q_len, k_len] before dropout.
  std::pair<torch::Tensor, torch::Tensor> forward_with_weights(const torch::Tensor& query, const torch::Tensor& key,
                                                               const torch::Tensor& value,
                                                               const torch::Tensor& mask = {});

  /// x [batch, len, d_model] -> [batch, heads, len, d_head], without a copy.
  torch::Tensor split_heads(const torch::Tensor& x) const;

  /// Projects x [batch, len, d_model] as queries (`which` = 0), keys (1) or values (2) -> [batch, heads, len,
  /// d_head].
  torch::Tensor project(size_t which, const torch::Tensor& x);

  /// Attention of projected heads [batch, heads, len, d_head], and the output projection -> [batch, q_len, d_model].
  /// For decoders that keep projected keys and values.
  torch::Tensor attend(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                       const torch::Tensor& mask);

  int64_t heads() const override { return options.heads(); }
  void pretty_print(std::ostream& out) const override;

  const MultiHeadAttentionOptions options;
  torch::nn::ModuleList linears{nullptr};  ///< query, key, value, output
  Dropout dropout{nullptr};

 private:
  torch::Tensor project_merged(const torch::Tensor& x, size_t first, size_t last);
  Projections project_all(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value);
  torch::Tensor weights_of(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& mask) const;
  torch::Tensor mix(const torch::Tensor& weights, const torch::Tensor& value);
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace ventris::nn
