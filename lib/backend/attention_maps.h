#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/package.h"
#include "nn/seq2seq.h"

/// Attention weights of every layer and head of a model for a sentence pair.
namespace ventris::backend {

/// Weights of one attention block, without dropout.
struct AttentionLayer {
  int64_t heads = 0, q_len = 0, k_len = 0;
  std::vector<float> weights;  ///< [heads, q_len, k_len]; a row sums to 1
};

/// One entry per layer, in the order of the layers; empty if the model has no such attention.
struct AttentionMaps {
  std::vector<AttentionLayer> encoder;  ///< self-attention: source x source
  std::vector<AttentionLayer> decoder;  ///< masked self-attention: target x target
  std::vector<AttentionLayer> cross;    ///< target x source
};

/// The weights while the decoder reads `target` (bos first): row i belongs to the prediction of the token after
/// target[i]. `source` has eos if the model needs it. `model` must be in eval mode. Throws std::invalid_argument if
/// either is empty or longer than the model's positions.
AttentionMaps attention_maps(const nn::Seq2Seq& model, std::span<const int32_t> source,
                             std::span<const int32_t> target);

/// The labels of the rows and columns of the maps: pieces, with U+2581 for a space.
struct AttentionLabels {
  std::vector<std::string> source;    ///< the input of the encoder
  std::vector<std::string> read;      ///< the input of the decoder: bos, then the target
  std::vector<std::string> produced;  ///< the output of the decoder: the target, then eos
};

struct SentenceAttention {
  AttentionLabels labels;
  AttentionMaps maps;
};

/// Tokenizes a sentence pair and returns the attention of the model. Throws DataError if a side has no tokens or more
/// than the model has positions.
SentenceAttention sentence_attention(const nn::Seq2Seq& model, const model::Package& package, const std::string& source,
                                     const std::string& target);

}  // namespace ventris::backend
