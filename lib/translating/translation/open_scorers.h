#pragma once
#include <memory>
#include <string>

#include "decoding/step_scorer.h"
#include "engine/shortlist_options.h"
#include "model/package.h"

namespace ventris::translation {

/// What computes a model.
enum class Backend {
  kAuto,    ///< the engine where it can run the model, otherwise LibTorch; also LibTorch if VENTRIS_BACKEND names it
  kEngine,  ///< the inference engine (engine/factory.h), on a CPU and without LibTorch
  kTorch    ///< LibTorch, by a library that is loaded on demand (scorer_loader.h)
};

/// The arithmetic of the engine's matrix products. LibTorch has only f32.
enum class Precision {
  kAuto,  ///< f32, so that results do not depend on the processor; that of a packed model
  kFast,  ///< what this processor computes fastest (arithmetic::fastest_precision); that of a packed model
  kF32,
  kBf16,
  kInt8
};

/// A shortlist of target pieces for each sentence (engine/shortlist.h). Only the engine has them.
struct ShortlistSettings {
  std::string lexicon;  ///< a file of ventris-vocab lexicon; "" = no shortlist
  engine::ShortlistOptions options = {};
};

struct ScorerSettings {
  std::string device = "cpu";  ///< "cpu", "cuda" or "cuda:N"
  Backend backend = Backend::kAuto;
  Precision precision = Precision::kAuto;  ///< kAuto = f32, or that of a packed model
  bool allow_unk = false;                  ///< whether the unknown token may be generated
  ShortlistSettings shortlist = {};
};

/// Makes the scorers of a model. Throws ConfigError if backend, device, precision, shortlist and model do not go
/// together, or if LibTorch is needed and not there; ModelError for a model that cannot be opened, and for a lexicon
/// that is damaged or for another model; DataError for a lexicon that cannot be read.
std::shared_ptr<const decoding::ScorerFactory> open_scorers(model::LoadedModel model, const ScorerSettings& settings);

}  // namespace ventris::translation
