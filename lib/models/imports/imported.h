#pragma once
#include <string>
#include <vector>

#include "architecture/transformer_options.h"
#include "imports/vocabulary.h"
#include "model/package.h"

namespace ventris::imports {

/// A bundle that was not written yet.
struct Imported {
  model::Package package;
  std::string weights;              ///< model.safetensors
  std::string what;                 ///< what was read, for the log: "a MarianMT of Hugging Face's transformers"
  std::vector<std::string> notes = {};  ///< what was assumed or changed, one sentence each
  std::string lexicon = {};             ///< a file of model::Lexicon, made of a shortlist; empty = none
};

/// Sets what follows from the settings, the vocabularies and the two SentencePiece models, which `package` has already.
/// `path`: where the model was read.
void configure(model::Package& package, const architecture::TransformerOptions& options, const Sides& sides,
               const std::string& path);

}  // namespace ventris::imports
