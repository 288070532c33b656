#pragma once
#include <string>
#include <vector>

#include "files/folders.h"
#include "model/package.h"

/// A BERT as Hugging Face's transformers store it: a folder with config.json and model.safetensors, from which
/// BertForPreTraining.from_pretrained() makes the model. The tensors have the same names as in a bundle.
namespace ventris::exports {

/// The files of such a folder, and the tokenizer as source.spm. Throws ModelError if the bundle is no BERT.
std::vector<files::NamedBytes> to_huggingface(const model::Bundle& bundle);

/// A bundle that was not written yet.
struct Imported {
  model::Package package;
  std::string weights;  ///< model.safetensors
};

/// Reads such a folder. `tokenizer` is the path of the SentencePiece model with which the BERT was trained; empty =
/// source.spm in the folder. Settings that have no counterpart are left out. Throws ModelError if a file is missing or
/// damaged, if the folder has another kind of model, or if a tensor is missing, unknown or of another shape, and
/// ConfigError if the tokenizer has another number of pieces.
Imported from_huggingface(const std::string& folder, const std::string& tokenizer);

}  // namespace ventris::exports
