#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/package.h"
#include "nn/seq2seq.h"

/// Where a model looks: attention weights of every layer and head for a sentence pair.
namespace ventris::backend {

/// Weights of one attention block, as they are without dropout.
struct AttentionLayer {
  int64_t heads = 0, q_len = 0, k_len = 0;
  std::vector<float> weights;  ///< [heads, q_len, k_len]; a row sums to 1
};

/// Of each kind one entry for each layer, the first layer first; none where the model has no such attention.
struct AttentionMaps {
  std::vector<AttentionLayer> encoder;  ///< self-attention: source x source
  std::vector<AttentionLayer> decoder;  ///< masked self-attention: target x target
  std::vector<AttentionLayer> cross;    ///< target x source
};

/// Weights while the decoder reads `target` (bos first): its row i is from where it produces the token after target[i].
/// `source` is what the encoder reads, with eos if the model wants it. `model` is in eval mode. Throws
/// std::invalid_argument if either is empty or longer than the model's positions.
AttentionMaps attention_maps(const nn::Seq2Seq& model, std::span<const int32_t> source,
                             std::span<const int32_t> target);

/// How the rows and columns of the maps are called: pieces, with U+2581 for a space.
struct AttentionLabels {
  std::vector<std::string> source;    ///< what the encoder reads
  std::vector<std::string> read;      ///< what the decoder has read: bos, then the target
  std::vector<std::string> produced;  ///< what it produces from there: the target, then eos
};

struct SentenceAttention {
  AttentionLabels labels;
  AttentionMaps maps;
};

/// A sentence pair through the tokenizers and the model. Throws DataError if a side has no tokens or more than the
/// model has positions.
SentenceAttention sentence_attention(const nn::Seq2Seq& model, const model::Package& package, const std::string& source,
                                     const std::string& target);

}  // namespace ventris::backend
