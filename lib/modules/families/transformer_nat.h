#pragma once
#include <torch/torch.h>

#include "architecture/transformer_nat_options.h"
#include "families/transformer.h"
#include "nn/nat_model.h"

namespace ventris::families {

/// A classifier of the difference between target and source length. Source: the length predictors of Gu et al. 2018 and
/// Ghazvininejad et al. 2019; here it reads the mean of the encoder's states.
class LengthPredictorImpl : public torch::nn::Module {
 public:
  LengthPredictorImpl(int64_t d_model, int64_t classes) {
    proj = register_module("proj", nn::Linear(d_model, classes));
  }
  /// states [batch, src_len, d_model], mask [batch, 1, src_len] -> logits [batch, classes].
  torch::Tensor forward(const torch::Tensor& states, const torch::Tensor& mask);
  nn::Linear proj{nullptr};
};
TORCH_MODULE(LengthPredictor);

/// For each of `lengths` [batch] positions, how much it reads of each source token: [batch, longest, src_len]. Target
/// position t of T belongs to the place t * (S - 1) / (T - 1) of a source with S tokens, counted from 0. kUniform: all
/// of the token nearest to that place (in the middle of two, the even one); kSoft: exp(-distance / width), divided by
/// the sum. src_mask [batch, 1, src_len]. Source: Gu et al. 2018 (uniform copy), Wei et al. 2019 (soft copy).
torch::Tensor copy_weights(const torch::Tensor& src_mask, const torch::Tensor& lengths,
                           architecture::DecoderInput input, double width);

/// A Transformer whose decoder has no mask of future positions, so that it writes all tokens at once. The names are
/// those of The Annotated Transformer, and `length.proj`. A mask token is bos, which no target has.
class NonAutoregressiveImpl : public nn::NatModelImpl {
 public:
  /// Throws std::invalid_argument for inconsistent sizes. Parameters have torch's default initialisation.
  explicit NonAutoregressiveImpl(const architecture::NatOptions& options);

  nn::Memory encode(const torch::Tensor& src, const torch::Tensor& src_mask) override;
  torch::Tensor length_log_probs(const nn::Memory& memory) override;
  torch::Tensor first_input(const torch::Tensor& src, const torch::Tensor& src_mask,
                            const torch::Tensor& lengths) override;
  torch::Tensor embed(const torch::Tensor& ids) override;
  torch::Tensor decode(const nn::Memory& memory, const torch::Tensor& input, const torch::Tensor& tgt_mask) override;
  nn::AttentionBlocks attention_blocks() const override { return attention_blocks_of(encoder, decoder); }
  TransformerParts parts() const { return {encoder, decoder, src_embed, tgt_embed, generator}; }

  const architecture::NatOptions options;
  Encoder encoder{nullptr};
  Decoder decoder{nullptr};
  torch::nn::Sequential src_embed{nullptr}, tgt_embed{nullptr};  ///< Embeddings, PositionalEncoding
  LengthPredictor length{nullptr};                               ///< null unless the length is predicted
};
TORCH_MODULE(NonAutoregressive);

}  // namespace ventris::families
