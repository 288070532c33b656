#include "families/transformer_layers.h"

#include <memory>

#include "attention/linear_attention.h"
#include "attention/low_rank_attention.h"
#include "attention/segment_attention.h"
#include "attention/windowed_attention.h"

namespace ventris::families {
namespace {

using torch::Tensor;

attention::MultiHeadAttentionOptions attention_options(const nn::TransformerOptions& options) {
  const double p = options.attention_dropout.value_or(options.dropout);
  return attention::MultiHeadAttentionOptions(options.d_model, options.heads)
      .dropout(p)
      .d_k(options.d_k)
      .d_v(options.d_v)
      .bias(options.attention_bias)
      .score(options.attention_score);
}

attention::MultiHeadAttention make_attention(const nn::TransformerOptions& options) {
  return attention::MultiHeadAttention(attention_options(options));
}

/// `causal`: of a decoder.
std::shared_ptr<attention::MultiHeadAttentionImpl> make_self_attention(const nn::TransformerOptions& options,
                                                                       bool causal) {
  attention::MultiHeadAttentionOptions block = attention_options(options);
  block.biased(options.has_relative_bias());
  if (options.positions == nn::Positions::kRotary) block.rotary_positions(options.max_positions);
  switch (options.self_attention) {
    case nn::SelfAttention::kWindow:
      return std::make_shared<attention::WindowedAttentionImpl>(
          block, attention::Window{options.window, options.global_positions, causal});
    case nn::SelfAttention::kLinear: return std::make_shared<attention::LinearAttentionImpl>(block, causal);
    case nn::SelfAttention::kLowRank:
      if (causal) break;
      return std::make_shared<attention::LowRankAttentionImpl>(block, options.low_rank_size, options.max_positions);
    case nn::SelfAttention::kSegment:
      return std::make_shared<attention::SegmentAttentionImpl>(
          block, attention::Segments{options.segment, options.segment_memory, causal});
    case nn::SelfAttention::kSsru:  // of a decoder: not made here
    case nn::SelfAttention::kFull: break;
  }
  return std::make_shared<attention::MultiHeadAttentionImpl>(block);
}

torch::nn::ModuleList make_sublayers(const nn::TransformerOptions& options, int count) {
  torch::nn::ModuleList list;
  for (int i = 0; i < count; ++i) list->push_back(SublayerConnection(options));
  return list;
}

/// The feed-forward part of layer `index`, an encoder or decoder layer, or its experts.
template <typename Layer>
void add_feed_forward(Layer& layer, const nn::TransformerOptions& options, int64_t index) {
  if (options.has_experts(index)) {
    layer.experts = layer.register_module("feed_forward", MixtureOfExperts(options));
  } else {
    layer.feed_forward = layer.register_module("feed_forward", PositionwiseFeedForward(options));
  }
}

template <typename Layer>
Tensor feed(Layer& layer, const Tensor& x) {
  return layer.experts.is_empty() ? layer.feed_forward(x) : layer.experts(x);
}

}  // namespace

SublayerConnectionImpl::SublayerConnectionImpl(const nn::TransformerOptions& options) : place_(options.norm) {
  norm = register_module("norm", nn::Norm(options));
  dropout = register_module("dropout", nn::Dropout(options.dropout));
}

Tensor SublayerConnectionImpl::forward(const Tensor& x, const Block& block) {
  if (place_ == nn::NormPlace::kPre) {
    const auto [base, normed] = norm->branch(x);
    return dropout->add_to(base, block(normed));
  }
  return norm(dropout->add_to(x, block(x)));
}

void SublayerConnectionImpl::pretty_print(std::ostream& out) const {
  out << "ventris::families::SublayerConnection(norm=" << (place_ == nn::NormPlace::kPre ? "pre" : "post") << ")";
}

EncoderLayerImpl::EncoderLayerImpl(const nn::TransformerOptions& options, int64_t index) {
  self_attn =
      register_module<attention::MultiHeadAttentionImpl>("self_attn", make_self_attention(options, /*causal=*/false));
  add_feed_forward(*this, options, index);
  sublayer = register_module("sublayer", make_sublayers(options, 2));
}

Tensor EncoderLayerImpl::forward(const Tensor& x, const Tensor& mask, const Tensor& bias) {
  const auto connection = [&](size_t i) { return sublayer->ptr<SublayerConnectionImpl>(i); };
  const Tensor y = connection(0)->forward(x, [&](const Tensor& z) { return self_attn->attend_to_self(z, mask, bias); });
  return connection(1)->forward(y, [&](const Tensor& z) { return feed(*this, z); });
}

DecoderLayerImpl::DecoderLayerImpl(const nn::TransformerOptions& options, int64_t index) {
  if (options.has_ssru()) {
    ssru = register_module("ssru", Ssru(options.d_model));
  } else {
    self_attn =
        register_module<attention::MultiHeadAttentionImpl>("self_attn", make_self_attention(options, /*causal=*/true));
  }
  src_attn = register_module("src_attn", make_attention(options));
  add_feed_forward(*this, options, index);
  sublayer = register_module("sublayer", make_sublayers(options, 3));
  if (options.cross_attention == nn::CrossAttention::kWeighted) {
    src_mixture = register_parameter("src_mixture", torch::zeros({options.encoder_layers}));
  }
}

Tensor DecoderLayerImpl::forward(const Tensor& x, const Tensor& memory, const Tensor& src_mask, const Tensor& tgt_mask,
                                 const Tensor& bias) {
  return run(
      x, [&](const Tensor& y) { return self_attn.is_empty() ? ssru(y) : self_attn->attend_to_self(y, tgt_mask, bias); },
      [&](const Tensor& y) { return src_attn(y, memory, memory, src_mask); });
}

Tensor DecoderLayerImpl::run(const Tensor& x, const Block& self_attention, const Block& source_attention) {
  const auto connection = [&](size_t i) { return sublayer->ptr<SublayerConnectionImpl>(i); };
  Tensor y = connection(0)->forward(x, self_attention);
  y = connection(1)->forward(y, source_attention);
  return connection(2)->forward(y, [&](const Tensor& z) { return feed(*this, z); });
}

}  // namespace ventris::families
