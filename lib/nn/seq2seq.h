#pragma once
#include <torch/torch.h>

#include <memory>
#include <string>
#include <vector>

#include "nn/generator.h"
#include "nn/multi_head_attention.h"
#include "nn/step_model.h"

/// What trainer, search, validation and exports know of a model, whatever its family.
namespace ventris::nn {

/// What an encoder makes of a batch of sources.
struct Memory {
  torch::Tensor states;               ///< [batch, src_len, width] what the decoder reads
  std::vector<torch::Tensor> layers;  ///< [batch, src_len, width] each: the output of every encoder layer, without the
                                      ///< final norm; empty in families without layers
  torch::Tensor mask;  ///< [batch, 1, src_len] bool, true = may look; undefined = everywhere
};

/// The attention blocks of a model, a layer each, first layer first; what is not there is empty.
struct AttentionBlocks {
  std::vector<const MultiHeadAttentionImpl*> encoder;  ///< self-attention of the source
  std::vector<const MultiHeadAttentionImpl*> decoder;  ///< self-attention of the target
  std::vector<const MultiHeadAttentionImpl*> cross;  ///< of the target to the source
};

/// A sequence-to-sequence model. A family registers its submodules under the names of its reference, among them
/// `generator`. (Models that are never trained, such as exports, may override log_probs() instead.)
class Seq2SeqImpl : public torch::nn::Module {
 public:
  /// src [batch, src_len] (long), src_mask [batch, 1, src_len] bool, true = may look (undefined = everywhere).
  virtual Memory encode(const torch::Tensor& src, const torch::Tensor& src_mask) = 0;

  /// tgt [batch, tgt_len] (long), tgt_mask [batch|1, tgt_len, tgt_len] bool, true = may look
  /// -> hidden states [batch, tgt_len, width].
  virtual torch::Tensor decode(const Memory& memory, const torch::Tensor& tgt, const torch::Tensor& tgt_mask) = 0;

  /// decode(encode(src)): hidden states [batch, tgt_len, width]; the generator makes log-probabilities of them.
  torch::Tensor forward(const torch::Tensor& src, const torch::Tensor& tgt, const torch::Tensor& src_mask,
                        const torch::Tensor& tgt_mask) {
    return decode(encode(src, src_mask), tgt, tgt_mask);
  }

  /// Log-probabilities [..., vocab] of hidden states [..., width]: those of `generator`, which is what training uses.
  virtual torch::Tensor log_probs(const torch::Tensor& hidden) { return generator(hidden); }

  virtual int64_t tgt_vocab() const { return generator->proj->weight.size(0); }

  /// Decodes token by token with this module, which must be in eval mode; the step model keeps it alive.
  virtual std::unique_ptr<StepModel> make_step_model() { return make_prefix_step_model(self()); }

  /// The blocks whose weights can be looked at (nn/attention_watch.h); none unless a family says so.
  virtual AttentionBlocks attention_blocks() const { return {}; }

  /// Draws every matrix from xavier-uniform (Glorot and Bengio 2010), tied ones once, by torch's default generator;
  /// other parameters keep what the constructor gave them.
  virtual void initialise();

  Generator generator{nullptr};

 protected:
  std::shared_ptr<Seq2SeqImpl> self() { return std::dynamic_pointer_cast<Seq2SeqImpl>(shared_from_this()); }
};

using Seq2Seq = std::shared_ptr<Seq2SeqImpl>;

}  // namespace ventris::nn
