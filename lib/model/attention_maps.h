#pragma once
#include <cstdint>
#include <string>
#include <vector>

/// Attention weights of a model as plain numbers.
namespace ventris::model {

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

}  // namespace ventris::model
