#pragma once
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "imports/marian_settings.h"

namespace ventris::imports {

/// How the parameters of a model of Marian are named and shared, besides what TransformerOptions say.
struct MarianLayout {
  bool all_tied = false;     ///< one table (Wemb) for source, target and output
  bool source_tied = false;  ///< one table for source and target
  bool output_tied = false;  ///< one table for target and output
  bool output_bias = true;
  std::vector<int64_t> tied_layers = {};  ///< of decoder layers, from 1: whose parameters each has

  /// The names of the tables of embeddings.
  std::string source_table() const { return source_tied ? "Wemb" : "encoder_Wemb"; }
  std::string target_table() const { return source_tied ? "Wemb" : "decoder_Wemb"; }
  int64_t stored_layer(int64_t number) const {
    return tied_layers.empty() ? number : tied_layers[static_cast<size_t>(number - 1)];
  }
};

/// What the settings say. The vocabularies and the number of positions are not set. Adds to `notes` what was assumed.
/// Throws ModelError for a setting that would make another model than one of ours, with its name.
architecture::TransformerOptions marian_options(const MarianSettings& settings, MarianLayout& layout,
                                                std::vector<std::string>& notes);

}  // namespace ventris::imports
