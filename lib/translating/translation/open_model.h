#pragma once
#include <memory>
#include <string>

#include "model/package.h"
#include "translation/open_scorers.h"

namespace ventris::translation {

/// A model ready for a Translator or a TextScorer. They keep what they need of it.
struct TranslationModel {
  model::Package package;  ///< settings and tokenizers, without the weights
  std::shared_ptr<const decoding::ScorerFactory> scorers;
};

/// Opens a bundle folder, a packed model or a TorchScript export, and what computes it (open_scorers.h). Only open
/// exports that you made yourself: they are programs. Throws ModelError for a damaged or unknown model, ConfigError if
/// the backend or the device is not there.
TranslationModel open_model(const std::string& path, const ScorerSettings& options = {});

}  // namespace ventris::translation
