#pragma once
#include <torch/torch.h>

#include <vector>

#include "nn/embeddings.h"
#include "nn/options.h"
#include "nn/transformer_layers.h"

/// The Transformer of The Annotated Transformer, name for name. Layer norms are torch's: `norm.weight` and `norm.bias`
/// stand for its a_2 and b_2. Masks: true = may look.
namespace ventris::nn {

/// `layers`, then (pre-LN only) a final `norm`.
class EncoderImpl : public torch::nn::Module {
 public:
  explicit EncoderImpl(const TransformerOptions& options);
  /// x [batch, src_len, d_model], mask [batch, 1, src_len] -> [batch, src_len, d_model].
  torch::Tensor forward(torch::Tensor x, const torch::Tensor& mask);
  torch::nn::ModuleList layers{nullptr};
  LayerNorm norm{nullptr};  ///< null for post-LN
};
TORCH_MODULE(Encoder);

class DecoderImpl : public torch::nn::Module {
 public:
  explicit DecoderImpl(const TransformerOptions& options);
  /// x [batch, tgt_len, d_model], memory [batch, src_len, d_model], src_mask [batch, 1, src_len],
  /// tgt_mask [batch|1, tgt_len, tgt_len] -> [batch, tgt_len, d_model].
  torch::Tensor forward(torch::Tensor x, const torch::Tensor& memory, const torch::Tensor& src_mask,
                        const torch::Tensor& tgt_mask);
  /// The final norm, if there is one.
  torch::Tensor normalize(const torch::Tensor& x) { return norm.is_empty() ? x : norm(x); }
  torch::nn::ModuleList layers{nullptr};
  LayerNorm norm{nullptr};  ///< null for post-LN
};
TORCH_MODULE(Decoder);

/// Linear layer and log_softmax. Source: Vaswani et al. 2017, section 3.4.
class GeneratorImpl : public torch::nn::Module {
 public:
  GeneratorImpl(int64_t d_model, int64_t vocab);
  /// x [..., d_model] -> log-probabilities [..., vocab].
  torch::Tensor forward(const torch::Tensor& x) { return at::log_softmax(proj(x), -1); }
  /// The same before log_softmax.
  torch::Tensor logits(const torch::Tensor& x) { return proj(x); }
  Linear proj{nullptr};
};
TORCH_MODULE(Generator);

class EncoderDecoderImpl : public torch::nn::Module {
 public:
  /// Throws std::invalid_argument for sizes that do not fit each other. Parameters are torch's defaults: see
  /// make_model.
  explicit EncoderDecoderImpl(const TransformerOptions& options);

  /// src [batch, src_len] (long), src_mask [batch, 1, src_len] -> memory [batch, src_len, d_model].
  torch::Tensor encode(const torch::Tensor& src, const torch::Tensor& src_mask);
  /// memory [batch, src_len, d_model], tgt [batch, tgt_len] (long), tgt_mask [batch|1, tgt_len, tgt_len]
  /// -> hidden states [batch, tgt_len, d_model].
  torch::Tensor decode(const torch::Tensor& memory, const torch::Tensor& src_mask, const torch::Tensor& tgt,
                       const torch::Tensor& tgt_mask);
  /// decode(encode(src)): hidden states [batch, tgt_len, d_model]; the generator makes log-probabilities of them.
  torch::Tensor forward(const torch::Tensor& src, const torch::Tensor& tgt, const torch::Tensor& src_mask,
                        const torch::Tensor& tgt_mask);

  const TransformerOptions options;
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
  torch::nn::Sequential src_embed{nullptr}, tgt_embed{nullptr};  ///< Embeddings, PositionalEncoding
  Generator generator{nullptr};

 private:
  void tie();
};
TORCH_MODULE(EncoderDecoder);

/// A model with every matrix drawn from xavier-uniform (Glorot and Bengio 2010) by torch's default generator, tied ones
/// once.
EncoderDecoder make_model(const TransformerOptions& options);

}  // namespace ventris::nn
