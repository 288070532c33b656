#pragma once
#include <torch/torch.h>

#include <memory>

#include "nn/generator.h"
#include "nn/memory.h"
#include "nn/model.h"
#include "nn/routed_block.h"
#include "nn/step_model.h"

/// The interface of a model to search, scoring, validation and export, for families that translate token by token.
/// nn/nat_model.h is that of families that write all tokens at once.
namespace ventris::nn {

/// A sequence-to-sequence model that writes token by token. A family registers its submodules under the names of its
/// reference implementation, including `generator`. (Models that are never trained, such as exports, may override
/// log_probs() instead.)
class Seq2SeqImpl : public ModelImpl {
 public:
  /// src [batch, src_len] (long), src_mask [batch, 1, src_len] bool, true = may look (undefined = everywhere).
  virtual Memory encode(const torch::Tensor& src, const torch::Tensor& src_mask) = 0;

  /// tgt [batch, tgt_len] (long), tgt_mask [batch|1, tgt_len, tgt_len] bool, true = may look
  /// -> hidden states [batch, tgt_len, width].
  virtual torch::Tensor decode(const Memory& memory, const torch::Tensor& tgt, const torch::Tensor& tgt_mask) = 0;

  /// decode(encode(src)): hidden states [batch, tgt_len, width], from which `generator` computes log-probabilities.
  torch::Tensor forward(const torch::Tensor& src, const torch::Tensor& tgt, const torch::Tensor& src_mask,
                        const torch::Tensor& tgt_mask) {
    return decode(encode(src, src_mask), tgt, tgt_mask);
  }

  /// Log-probabilities [..., vocab] of hidden states [..., width], by default from `generator`, as in training.
  virtual torch::Tensor log_probs(const torch::Tensor& hidden) { return generator(hidden); }

  /// Size of the target vocabulary.
  virtual int64_t tgt_vocab() const { return generator->proj->weight.size(0); }

  /// A step model that decodes with this module, which must be in eval mode; the step model keeps the module alive.
  virtual std::unique_ptr<StepModel> make_step_model() { return make_prefix_step_model(self()); }

  /// The blocks whose weights can be watched (nn/attention_watch.h); none unless a family overrides this.
  virtual AttentionBlocks attention_blocks() const { return {}; }

  /// The blocks with experts, whose routers can be watched (nn/routed_block.h); none unless a family overrides this.
  virtual RoutedBlocks routed_blocks() const { return {}; }

  Generator generator{nullptr};

 protected:
  std::shared_ptr<Seq2SeqImpl> self() { return std::dynamic_pointer_cast<Seq2SeqImpl>(shared_from_this()); }
};

using Seq2Seq = std::shared_ptr<Seq2SeqImpl>;

}  // namespace ventris::nn
