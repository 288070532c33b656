#pragma once
#include <torch/torch.h>

#include <memory>

#include "nn/generator.h"
#include "nn/memory.h"
#include "nn/model.h"

/// The interface of a non-autoregressive model to decoding, scoring, training and export.
namespace ventris::nn {

/// A model that writes all tokens of a translation at once. Which lengths to ask for, and what the tokens at the
/// positions mean, depends on its settings (architecture::NatOptions).
class NatModelImpl : public ModelImpl {
 public:
  /// src [batch, src_len] (long), src_mask [batch, 1, src_len] bool, true = may look.
  virtual Memory encode(const torch::Tensor& src, const torch::Tensor& src_mask) = 0;

  /// Log-probabilities [batch, 2 * range + 1] (float) of the differences -range to range between the lengths of target
  /// and source. Throws std::logic_error if the model does not predict lengths.
  virtual torch::Tensor length_log_probs(const Memory& memory) = 0;

  /// What the decoder reads at first, without positions: lengths [batch] (long), each at least 1 -> [batch, longest,
  /// width]. What is after the length of a row has no meaning.
  virtual torch::Tensor first_input(const torch::Tensor& src, const torch::Tensor& src_mask,
                                    const torch::Tensor& lengths) = 0;

  /// The same for given tokens: ids [batch, tgt_len] (long) -> [batch, tgt_len, width]. Where the id is that of bos, it
  /// is a mask token.
  virtual torch::Tensor embed(const torch::Tensor& ids) = 0;

  /// input [batch, tgt_len, width], tgt_mask [batch, 1, tgt_len] bool, true = may look -> hidden states [batch,
  /// tgt_len, width]. Every position sees all others.
  virtual torch::Tensor decode(const Memory& memory, const torch::Tensor& input, const torch::Tensor& tgt_mask) = 0;

  /// Log-probabilities [..., vocab] of hidden states [..., width], by default from `generator`, as in training.
  virtual torch::Tensor log_probs(const torch::Tensor& hidden) { return generator(hidden); }

  /// The blocks whose weights can be watched (nn/attention_watch.h); none unless a model overrides this.
  virtual AttentionBlocks attention_blocks() const { return {}; }

  Generator generator{nullptr};
};

using NatModel = std::shared_ptr<NatModelImpl>;

}  // namespace ventris::nn
