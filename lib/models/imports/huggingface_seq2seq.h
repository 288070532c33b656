#pragma once
#include "architecture/transformer_options.h"
#include "imports/bundle_weights.h"
#include "imports/config_file.h"
#include "imports/vocabulary.h"

/// What the encoder-decoder models of Hugging Face's transformers with BART's names have in common: MarianMT and
/// others.
namespace ventris::imports {

/// The sizes, the activation and the rates of dropout of config.json; all other settings have their defaults. Throws
/// ModelError for a setting that a model of ours cannot have.
architecture::TransformerOptions seq2seq_options(const ConfigFile& config);

/// The tokens, and the rows of those that config.json names; `start` is the key of the token with which the decoder
/// starts if it has no decoder_start_token_id. `where` names the vocabulary in messages. Throws ModelError.
Vocabulary with_special_rows(const ConfigFile& config, std::vector<std::string> texts, const char* start,
                             const std::string& where);

/// Takes the tables of tokens and the bias of the output layer, and sets options.tying and the vocabularies. `prefix`:
/// what the names of the tables begin with. `weights` must have been made with `options`.
void take_tokens(const TensorSource& tensors, const Sides& sides, const std::string& prefix,
                 architecture::TransformerOptions& options, BundleWeights& weights);

/// Takes all tensors but those of positions. If the feed-forward parts of one side are narrower, they are filled up.
/// Sets options.tying, and the vocabularies. `weights` must have been made with `options`.
void take_seq2seq(const ConfigFile& config, const TensorSource& tensors, const Sides& sides,
                  architecture::TransformerOptions& options, BundleWeights& weights);

}  // namespace ventris::imports
