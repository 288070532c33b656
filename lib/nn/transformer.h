#pragma once
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <vector>

#include "nn/embeddings.h"
#include "nn/generator.h"
#include "nn/options.h"
#include "nn/seq2seq.h"
#include "nn/transformer_layers.h"

/// The Transformer of The Annotated Transformer, name for name. Layer norms are torch's: `norm.weight` and `norm.bias`
/// stand for its a_2 and b_2. Masks: true = may look.
namespace ventris::nn {

/// `layers`, then (pre-LN only) a final `norm`.
class EncoderImpl : public torch::nn::Module {
 public:
  explicit EncoderImpl(const TransformerOptions& options);
  /// x [batch, src_len, d_model], mask [batch, 1, src_len] -> [batch, src_len, d_model]. `outputs`, if given, gets what
  /// each layer returns, before the final norm.
  torch::Tensor forward(torch::Tensor x, const torch::Tensor& mask, std::vector<torch::Tensor>* outputs = nullptr);
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
  /// The same with each layer run by the caller, who keeps keys and values from step to step: run_layer(i, x)
  /// returns what layer i makes of x [batch, len, d_model].
  torch::Tensor run(torch::Tensor x, const std::function<torch::Tensor(size_t, const torch::Tensor&)>& run_layer);
  DecoderLayerImpl& layer(size_t i) const { return *layers->ptr<DecoderLayerImpl>(i); }
  torch::nn::ModuleList layers{nullptr};
  LayerNorm norm{nullptr};  ///< null for post-LN
};
TORCH_MODULE(Decoder);

class EncoderDecoderImpl : public Seq2SeqImpl {
 public:
  /// Throws std::invalid_argument for sizes that do not fit each other. Parameters are torch's defaults: see
  /// make_model.
  explicit EncoderDecoderImpl(const TransformerOptions& options);

  Memory encode(const torch::Tensor& src, const torch::Tensor& src_mask) override;
  torch::Tensor decode(const Memory& memory, const torch::Tensor& tgt, const torch::Tensor& tgt_mask) override;
  /// With caches: keys and values of the source are made once for each sentence, those of the target are written in
  /// place into buffers that grow by doubling.
  std::unique_ptr<StepModel> make_step_model() override;
  AttentionBlocks attention_blocks() const override;

  const TransformerOptions options;
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
  torch::nn::Sequential src_embed{nullptr},
      tgt_embed{nullptr};  ///< Embeddings, PositionalEncoding; `generator` is last

 private:
  void tie();
};
/// As TORCH_MODULE makes it; also a model of any family.
class EncoderDecoder : public torch::nn::ModuleHolder<EncoderDecoderImpl> {
 public:
  using Impl = EncoderDecoderImpl;
  using torch::nn::ModuleHolder<EncoderDecoderImpl>::ModuleHolder;
  operator Seq2Seq() const { return ptr(); }  // NOLINT(google-explicit-constructor)
};

/// A model with every matrix drawn from xavier-uniform (Seq2SeqImpl::initialise).
EncoderDecoder make_model(const TransformerOptions& options);

}  // namespace ventris::nn
