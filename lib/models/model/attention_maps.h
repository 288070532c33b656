#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// Attention weights of a model as plain numbers.
namespace ventris::model {

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

}  // namespace ventris::model
