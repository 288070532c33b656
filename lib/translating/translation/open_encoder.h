#pragma once
#include <memory>
#include <string>

#include "decoding/text_encoder.h"
#include "model/package.h"
#include "translation/open_scorers.h"

namespace ventris::translation {

/// A model whose encoder is used.
struct EncoderModel {
  model::Package package;  ///< settings and tokenizers, without the weights
  std::shared_ptr<const decoding::TextEncoderFactory> encoders;
};

/// Opens a bundle of a BERT, of a classifier or of a model that translates token by token, or a packed model, and what
/// computes its encoder: the engine where it can, otherwise LibTorch. All weights are finite. `settings.shortlist` and
/// `allow_unk` have no meaning. Throws ModelError for a model that is missing, damaged, an export, or has no encoder;
/// ConfigError if backend, device, precision and model do not go together, or if LibTorch is needed and not there.
EncoderModel open_encoder(const std::string& path, const ScorerSettings& settings);

}  // namespace ventris::translation
