#pragma once
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "imports/config_file.h"
#include "imports/layer_weights.h"
#include "imports/token_lists.h"

/// What the models of OpenNMT-py and of Eole, which grew out of it, have in common.
namespace ventris::imports {

/// The names of the parts of a model.
struct OpennmtNames {
  LayerNames layers;
  std::string encoder, decoder;                   ///< layers, before their number: "encoder.transformer."
  std::string source_table, target_table;         ///< of tokens
  std::string source_positions, target_positions;  ///< tables of sinusoids, or of trained positions
  std::vector<std::string> encoder_norms, decoder_norms;  ///< of a layer, in their order
  std::string feed_forward;                               ///< of a layer
};

/// Where the positions of a model come from.
enum class OpennmtPositions { kInterleaved, kHalved, kLearned, kRotary, kRotaryHalves, kBuckets };

/// Sets the sizes, what the tensors say of biases and gates, and the positions; `options.heads` must be set. Checks
/// stored tables of sinusoids.
void set_sizes(const TensorSource& tensors, const OpennmtNames& names, OpennmtPositions positions,
               architecture::TransformerOptions& options);

/// Takes all tensors. Sets the vocabularies, scale_embeddings and the tying, and adds to `notes` how long sentences can
/// be if that is not what it was. `weights` must have been made with `options`.
void take_opennmt(const TensorSource& tensors, const OpennmtNames& names, OpennmtPositions positions,
                  const Sides& sides, architecture::TransformerOptions& options, BundleWeights& weights,
                  std::vector<std::string>& notes);

/// The rows of special tokens by their texts. `start`: with which the decoder starts. Throws ModelError.
TokenList opennmt_tokens(std::vector<std::string> texts, const ConfigFile& specials, const std::string& start,
                         const std::string& where);

}  // namespace ventris::imports
