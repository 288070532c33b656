#pragma once
#include <memory>
#include <string>

#include "decoding/step_scorer.h"
#include "model/package.h"

namespace ventris::translation {

/// A model ready for a Translator or a TextScorer. They keep what they need of it.
struct TranslationModel {
  model::Package package;  ///< settings and tokenizers, without the weights
  std::shared_ptr<const decoding::ScorerFactory> scorers;
};

struct OpenOptions {
  std::string device = "cpu";  ///< "cpu", "cuda" or "cuda:N"
  bool allow_unk = false;      ///< whether the unknown token may be generated
};

/// Opens a bundle folder or a TorchScript export and loads the translation backend (scorer_loader.h) for it. Only open
/// exports that you made yourself: they are programs. Throws ModelError for a damaged or unknown model, ConfigError if
/// the backend or the device is not there.
TranslationModel open_model(const std::string& path, const OpenOptions& options = {});

}  // namespace ventris::translation
