#pragma once
#include <torch/torch.h>

#include <vector>

#include "nn/attention_watch.h"

/// What models that translate have in common, token by token (nn/seq2seq.h) or all at once (nn/nat_model.h).
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
  torch::Tensor output = {};  ///< [batch, src_len, width]: the output of the encoder, after its final norm; undefined =
                              ///< it is `states`
};

/// The attention blocks of a model, one per layer, in the order of the layers; empty if the model has none.
struct AttentionBlocks {
  std::vector<const AttentionBlock*> encoder;  ///< self-attention of the source
  std::vector<const AttentionBlock*> decoder;  ///< self-attention of the target
  std::vector<const AttentionBlock*> cross;  ///< of the target to the source
};

}  // namespace ventris::nn
