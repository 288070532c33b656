#pragma once
#include "architecture/transformer_options.h"
#include "imports/bundle_weights.h"
#include "imports/config_file.h"
#include "imports/vocabulary.h"
#include "model/model_config.h"

/// What the encoder-decoder models of Hugging Face's transformers with BART's names have in common: MarianMT and
/// others.
namespace ventris::imports {

/// The sizes, the activation and the rates of dropout of config.json; all other settings have their defaults. Throws
/// ModelError for a setting that a model of ours cannot have.
architecture::TransformerOptions seq2seq_options(const ConfigFile& config);

/// Takes all tensors but those of positions. Sets options.tying, and the vocabularies. `weights` must have been made
/// with `options`.
void take_seq2seq(const TensorSource& tensors, const Sides& sides, architecture::TransformerOptions& options,
                  BundleWeights& weights);

/// The rows of special tokens among the texts of all rows. `where` names the vocabulary in messages.
Vocabulary special_rows(const ConfigFile& config, std::vector<std::string> texts, const std::string& where);

/// How the model is searched by default, from generation_config.json or, in older folders, config.json.
model::DecodingDefaults read_decoding(const std::string& folder, const ConfigFile& config);

}  // namespace ventris::imports
