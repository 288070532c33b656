#pragma once
#include <torch/torch.h>

#include <utility>

#include "attention/fused_attention.h"
#include "attention/score.h"
#include "nn/attention_watch.h"
#include "nn/dropout.h"
#include "nn/layer_options.h"
#include "nn/linear.h"

namespace ventris::attention {

/// Settings of one attention block. `d_model` must be a multiple of `heads`, unless `d_k` and `d_v` are given.
struct MultiHeadAttentionOptions {
  MultiHeadAttentionOptions(int64_t d_model, int64_t heads) : d_model_(d_model), heads_(heads) {}
  TORCH_ARG(int64_t, d_model);       ///< width of queries, keys, values and result
  TORCH_ARG(int64_t, heads);         ///< each sees d_model / heads features
  TORCH_ARG(double, dropout) = 0.1;  ///< probability of dropping an attention weight, in [0, 1)
  TORCH_ARG(int64_t, d_k) = 0;       ///< features of a query or key in each head; 0 = d_model / heads
  TORCH_ARG(int64_t, d_v) = 0;       ///< features of a value in each head; 0 = d_model / heads
  TORCH_ARG(bool, bias) = true;      ///< of the four projections
  TORCH_ARG(nn::AttentionScore, score) = nn::AttentionScore::kScaledDot;
  /// 0: queries and keys do not depend on positions. Otherwise they are rotated (attention/rotation.h), and sequences
  /// have at most this many positions. Only for scaled_dot.
  TORCH_ARG(int64_t, rotary_positions) = 0;
  /// Whether something is added to scores, which attend_to_self() then gets. The kernels cannot compute it.
  TORCH_ARG(bool, biased) = false;

 public:
  int64_t key_width() const { return d_k_ > 0 ? d_k_ : d_model_ / heads_; }
  int64_t value_width() const { return d_v_ > 0 ? d_v_ : d_model_ / heads_; }
};

/// Attention over several heads, by default scaled dot-product attention.
/// Source: Vaswani et al. 2017, section 3.2.2; parameter names as in The Annotated Transformer.
class MultiHeadAttentionImpl : public torch::nn::Module, public nn::AttentionBlock {
 public:
  /// Throws std::invalid_argument if `heads` does not divide `d_model` and one of `d_k` and `d_v` follows from them,
  /// and for rotary positions with another score or an odd width.
  explicit MultiHeadAttentionImpl(const MultiHeadAttentionOptions& settings);

  /// query [batch, q_len, d_model]; key, value [batch, k_len, d_model];
  /// mask bool [batch|1, q_len|1, k_len|1], true = may look (undefined = everywhere).
  /// Returns [batch, q_len, d_model]. A query with nowhere to look gets zeros, never NaN.
  virtual torch::Tensor forward(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                                const torch::Tensor& mask = {});

  /// As forward; also returns the weights [batch, heads, q_len, k_len] before dropout.
  std::pair<torch::Tensor, torch::Tensor> forward_with_weights(const torch::Tensor& query, const torch::Tensor& key,
                                                               const torch::Tensor& value,
                                                               const torch::Tensor& mask = {});

  /// Self-attention of x [batch, len, d_model] with `bias` [1, heads, len, len], which is added to the scores
  /// (undefined = nothing is); otherwise as forward.
  torch::Tensor attend_to_self(const torch::Tensor& x, const torch::Tensor& mask, const torch::Tensor& bias);

  /// x [batch, len, heads * d_head] -> [batch, heads, len, d_head], without a copy.
  torch::Tensor split_heads(const torch::Tensor& x) const;

  /// Projects x [batch, len, d_model] as queries (`which` = 0), keys (1) or values (2) -> [batch, heads, len,
  /// key_width or value_width]. Positions count from 0.
  torch::Tensor project(size_t which, const torch::Tensor& x);

  /// The same of x [rows, d_model] with one position per row, `positions` [rows] (long) -> [rows, heads * width].
  torch::Tensor project_at(size_t which, const torch::Tensor& x, const torch::Tensor& positions);

  /// Attention of projected heads [batch, heads, len, key_width or value_width], and the output projection -> [batch,
  /// q_len, d_model]. For decoders that keep projected keys and values. `bias` [batch|1, heads, q_len, k_len] is added
  /// to the scores.
  torch::Tensor attend(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value,
                       const torch::Tensor& mask, const torch::Tensor& bias = {});

  int64_t heads() const override { return options.heads(); }
  void pretty_print(std::ostream& out) const override;

  const MultiHeadAttentionOptions options;
  torch::nn::ModuleList linears{nullptr};  ///< query, key, value, output
  Score score{nullptr};                    ///< null for scaled_dot
  nn::Dropout dropout{nullptr};
  torch::Tensor rotation;  ///< rotations() of the rotary positions, a buffer; undefined without them

 protected:
  /// The projections first to last (see project()) of x [batch, len, d_model], side by side [batch, len, their widths].
  torch::Tensor project_merged(const torch::Tensor& x, size_t first, size_t last);
  /// Attention of projections, query [batch, q_len, heads * key_width] and key_value [batch, k_len, heads * (key_width
  /// + value_width)], and the output projection -> [batch, q_len, d_model]. By the kernel, if it can compute it.
  torch::Tensor attend_merged(const torch::Tensor& query, const torch::Tensor& key_value, const torch::Tensor& mask);

  /// The weights of scores [batch, heads, q_len, k_len], which it may overwrite, over the keys that `mask` [batch|1,
  /// q_len|1, k_len|1] lets a query see (undefined = all). A query that sees none gets zeros.
  static torch::Tensor softmax_of_visible(const torch::Tensor& scores, const torch::Tensor& mask);

 private:
  void check() const;
  bool is_fused() const;
  torch::Tensor rotated(const torch::Tensor& x, int64_t columns) const;
  torch::Tensor product(const torch::Tensor& a, const torch::Tensor& b) const;
  torch::Tensor attend_fused(const Projections& projections, const torch::Tensor& mask);
  torch::Tensor attend_on_gpu(const Projections& projections, const torch::Tensor& mask);
  Projections project_all(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& value);
  torch::Tensor weights_of(const torch::Tensor& query, const torch::Tensor& key, const torch::Tensor& mask,
                           const torch::Tensor& bias = {});
  torch::Tensor mix(const torch::Tensor& weights, const torch::Tensor& value);
};
TORCH_MODULE(MultiHeadAttention);

}  // namespace ventris::attention
