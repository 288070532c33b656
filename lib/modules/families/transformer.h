#pragma once
#include <torch/torch.h>

#include <functional>
#include <memory>
#include <vector>

#include "attention/relative_bias.h"
#include "families/transformer_layers.h"
#include "nn/embeddings.h"
#include "nn/generator.h"
#include "nn/layer_options.h"
#include "nn/seq2seq.h"

/// The Transformer, with the module names of The Annotated Transformer. `norm.weight` and `norm.bias` are its a_2 and
/// b_2. Masks: true = may look.
namespace ventris::families {

/// `layers`, then (usually with pre-LN only) a final `norm`.
class EncoderImpl : public torch::nn::Module {
 public:
  explicit EncoderImpl(const nn::TransformerOptions& options);
  /// x [batch, src_len, d_model], mask [batch, 1, src_len] -> [batch, src_len, d_model]. `outputs`, if given, gets the
  /// output of each layer, without the final norm.
  torch::Tensor forward(torch::Tensor x, const torch::Tensor& mask, std::vector<torch::Tensor>* outputs = nullptr);
  torch::nn::ModuleList layers{nullptr};
  nn::Norm norm{nullptr};  ///< null without has_final_norm()
  attention::RelativeBias relative_bias{nullptr};  ///< of all layers; null without has_relative_bias()
};
TORCH_MODULE(Encoder);

class DecoderImpl : public torch::nn::Module {
 public:
  explicit DecoderImpl(const nn::TransformerOptions& options);
  /// x [batch, tgt_len, d_model], memory [batch, src_len, d_model] for all layers or [batch, src_len, layers * d_model]
  /// side by side, src_mask [batch, 1, src_len], tgt_mask [batch|1, tgt_len, tgt_len] -> [batch, tgt_len, d_model].
  torch::Tensor forward(torch::Tensor x, const torch::Tensor& memory, const torch::Tensor& src_mask,
                        const torch::Tensor& tgt_mask);
  /// The same, but the caller runs each layer, so that it can keep keys and values from step to step: run_layer(i, x)
  /// returns the output of layer i for x [batch, len, d_model].
  torch::Tensor run(torch::Tensor x, const std::function<torch::Tensor(size_t, const torch::Tensor&)>& run_layer);
  /// The part of `memory` (see forward) that layer i sees: [batch, src_len, d_model], a view.
  torch::Tensor memory_of(size_t i, const torch::Tensor& memory) const;
  DecoderLayerImpl& layer(size_t i) const { return *layers->ptr<DecoderLayerImpl>(i); }
  torch::nn::ModuleList layers{nullptr};
  nn::Norm norm{nullptr};  ///< null without has_final_norm()
  attention::RelativeBias relative_bias{nullptr};  ///< of all layers; null without has_relative_bias()

 private:
  int64_t d_model_;
};
TORCH_MODULE(Decoder);

/// The parts of a Transformer, which its model registers under these names.
struct TransformerParts {
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
  torch::nn::Sequential src_embed{nullptr}, tgt_embed{nullptr};  ///< Embeddings, PositionalEncoding
  nn::Generator generator{nullptr};

  /// Makes the parts, tied as the options say; the target has `tgt_positions` positions. Throws std::invalid_argument
  /// for inconsistent sizes.
  static TransformerParts make(const nn::TransformerOptions& options, int64_t tgt_positions);
};

/// Encodes src [batch, src_len] (long), src_mask [batch, 1, src_len]. The decoder is needed for its mixtures of encoder
/// layers.
nn::Memory encode_source(const TransformerParts& parts, const nn::TransformerOptions& options, const torch::Tensor& src,
                         const torch::Tensor& src_mask);

/// The attention blocks of both stacks.
nn::AttentionBlocks attention_blocks_of(const Encoder& encoder, const Decoder& decoder);

class EncoderDecoderImpl : public nn::Seq2SeqImpl {
 public:
  /// Throws std::invalid_argument for inconsistent sizes. Parameters have torch's default initialisation; see
  /// make_model.
  explicit EncoderDecoderImpl(const nn::TransformerOptions& settings);

  nn::Memory encode(const torch::Tensor& src, const torch::Tensor& src_mask) override;
  torch::Tensor decode(const nn::Memory& memory, const torch::Tensor& tgt, const torch::Tensor& tgt_mask) override;
  /// Uses caches: keys and values of the source are computed once per sentence; those of the target are written into
  /// buffers that double in size when they are full. A windowed decoder, or one with segments, keeps those that
  /// it can still see, a linear one only their sums, one with SSRUs only their cells.
  std::unique_ptr<nn::StepModel> make_step_model() override;
  /// As Seq2SeqImpl; with zero_start, the row of bos becomes zero.
  void initialise() override;
  /// Without the encoder if its self-attention is low_rank, whose weights do not belong to positions.
  nn::AttentionBlocks attention_blocks() const override;
  nn::RoutedBlocks routed_blocks() const override;
  TransformerParts parts() const { return {encoder, decoder, src_embed, tgt_embed, generator}; }

  const nn::TransformerOptions options;
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
  torch::nn::Sequential src_embed{nullptr},
      tgt_embed{nullptr};  ///< Embeddings, PositionalEncoding; `generator` is last
};
/// The holder that TORCH_MODULE would define, with conversions to the interfaces.
class EncoderDecoder : public torch::nn::ModuleHolder<EncoderDecoderImpl> {
 public:
  using Impl = EncoderDecoderImpl;
  using torch::nn::ModuleHolder<EncoderDecoderImpl>::ModuleHolder;
  operator nn::Seq2Seq() const { return ptr(); }  // NOLINT(google-explicit-constructor)
  operator nn::Model() const { return ptr(); }    // NOLINT(google-explicit-constructor)
};

/// A model whose matrices are drawn from the xavier-uniform distribution (ModelImpl::initialise).
EncoderDecoder make_model(const nn::TransformerOptions& options);

}  // namespace ventris::families
