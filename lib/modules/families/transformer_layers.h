#pragma once
#include <torch/torch.h>

#include <functional>

#include "attention/multi_head_attention.h"
#include "families/mixture_of_experts.h"
#include "families/positionwise_feed_forward.h"
#include "families/ssru.h"
#include "nn/dropout.h"
#include "nn/layer_options.h"
#include "nn/norm.h"

namespace ventris::families {

/// A part of a layer: x [batch, len, d_model] -> the same shape.
using Block = std::function<torch::Tensor(const torch::Tensor&)>;

/// A residual connection around a block, with a norm. Pre-LN: x + dropout(block(norm(x))); post-LN:
/// norm(x + dropout(block(x))). Source: Vaswani et al. 2017, section 5.4; pre-LN: Xiong et al. 2020.
class SublayerConnectionImpl : public torch::nn::Module {
 public:
  explicit SublayerConnectionImpl(const nn::TransformerOptions& options);
  /// x [batch, len, d_model]; `block` keeps the shape.
  torch::Tensor forward(const torch::Tensor& x, const Block& block);
  void pretty_print(std::ostream& out) const override;
  nn::Norm norm{nullptr};
  nn::Dropout dropout{nullptr};

 private:
  nn::NormPlace place_;
};
TORCH_MODULE(SublayerConnection);

/// Self-attention and feed-forward, each in a SublayerConnection.
class EncoderLayerImpl : public torch::nn::Module {
 public:
  /// Layer `index` of the stack, from 0.
  explicit EncoderLayerImpl(const nn::TransformerOptions& options, int64_t index = 0);
  /// x [batch, src_len, d_model], mask [batch, 1, src_len] true = may look; `bias` as in attend_to_self().
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& mask, const torch::Tensor& bias = {});
  attention::MultiHeadAttention self_attn{nullptr};  ///< of the kind of options.self_attention
  PositionwiseFeedForward feed_forward{nullptr};  ///< null with experts
  MixtureOfExperts experts{nullptr};  ///< in place of feed_forward, under its name; null unless the layer has experts
  torch::nn::ModuleList sublayer{nullptr};  ///< 2 SublayerConnections
};
TORCH_MODULE(EncoderLayer);

/// Self-attention (or an SSRU), attention to the source, feed-forward.
class DecoderLayerImpl : public torch::nn::Module {
 public:
  /// Layer `index` of the stack, from 0.
  explicit DecoderLayerImpl(const nn::TransformerOptions& options, int64_t index = 0);
  /// x [batch, tgt_len, d_model], memory [batch, src_len, d_model], src_mask [batch, 1, src_len],
  /// tgt_mask [batch|1, tgt_len, tgt_len]; `bias` of self-attention as in attend_to_self().
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& memory, const torch::Tensor& src_mask,
                        const torch::Tensor& tgt_mask, const torch::Tensor& bias = {});
  /// The same, but the caller computes the two attentions, so that it can keep keys and values. Each maps [batch, len,
  /// d_model] to the same shape.
  torch::Tensor run(const torch::Tensor& x, const Block& self_attention, const Block& source_attention);
  attention::MultiHeadAttention self_attn{nullptr};  ///< of the kind of options.self_attention; full for low_rank, null
                                                     ///< for ssru
  Ssru ssru{nullptr};  ///< in place of self_attn; null unless self_attention = ssru
  attention::MultiHeadAttention src_attn{nullptr};
  PositionwiseFeedForward feed_forward{nullptr};  ///< null with experts
  MixtureOfExperts experts{nullptr};  ///< in place of feed_forward, under its name; null unless the layer has experts
  torch::nn::ModuleList sublayer{nullptr};  ///< 3 SublayerConnections
  torch::Tensor src_mixture;  ///< [encoder_layers], at first 0: its softmax mixes the encoder layers that `src_attn`
                              ///< sees (cross_attention = weighted); otherwise undefined
};
TORCH_MODULE(DecoderLayer);

}  // namespace ventris::families
