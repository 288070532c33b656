#pragma once
#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "nn/attention_watch.h"
#include "nn/generator.h"
#include "nn/model.h"
#include "nn/step_model.h"

/// The interface of a model to search, scoring, validation and export, for all families that translate.
namespace ventris::nn {

/// The output of the encoder for a batch of sources.
struct Memory {
  torch::Tensor states;               ///< [batch, src_len, width] input of the decoder; if its layers see different
                         ///< states, [batch, src_len, decoder_layers * width], side by side
  std::vector<torch::Tensor> layers;  ///< [batch, src_len, width] each: the output of every encoder layer, without the
                                      ///< final norm; empty in families without layers
  torch::Tensor mask;  ///< [batch, 1, src_len] bool, true = may look; undefined = everywhere
  std::vector<torch::Tensor> finals = {};  ///< [batch, width] each: the last states of a recurrent encoder, layer by
                                           ///< layer, each followed by its cells if it has any; empty in other families
};

/// The attention blocks of a model, one per layer, in the order of the layers; empty if the model has none.
struct AttentionBlocks {
  std::vector<const AttentionBlock*> encoder;  ///< self-attention of the source
  std::vector<const AttentionBlock*> decoder;  ///< self-attention of the target
  std::vector<const AttentionBlock*> cross;  ///< of the target to the source
};

/// A sequence-to-sequence model. A family registers its submodules under the names of its reference implementation,
/// including `generator`. (Models that are never trained, such as exports, may override log_probs() instead.)
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

  Generator generator{nullptr};

 protected:
  std::shared_ptr<Seq2SeqImpl> self() { return std::dynamic_pointer_cast<Seq2SeqImpl>(shared_from_this()); }
};

using Seq2Seq = std::shared_ptr<Seq2SeqImpl>;

}  // namespace ventris::nn
