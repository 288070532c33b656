#pragma once
#include <memory>
#include <string>

#include "arithmetic/matrix.h"
#include "decoding/step_scorer.h"
#include "engine/shortlist_options.h"
#include "model/lexicon.h"
#include "model/package.h"

/// The inference engine: translates on a CPU without LibTorch.
namespace ventris::engine {

using arithmetic::Precision;

struct EngineOptions {
  Precision precision = Precision::kF32;
  bool allow_unk = false;  ///< whether unk may be generated
  std::shared_ptr<const model::Lexicon> lexicon = {};  ///< translate with a shortlist (shortlist.h); null = without
  ShortlistOptions shortlist = {};
};

/// Why the engine cannot run this model, for messages; "" = it can.
std::string unsupported(const model::ModelConfig& config);

/// Makes scorers of a model for which unsupported() returns an empty text. The weights are packed once and shared by
/// all scorers. A lexicon must be for the tokenizers of the model; scores of given pairs do not use it. Throws
/// ModelError for a tensor that is missing or of a wrong shape or type; ConfigError for a layer that is too wide for
/// the precision.
std::unique_ptr<decoding::ScorerFactory> make_factory(const model::ModelConfig& config,
                                                      const model::Safetensors& weights, const EngineOptions& options);

/// The same for a packed file, whose weights are used where they are (packed_file.h). `options.precision` has no
/// effect.
std::unique_ptr<decoding::ScorerFactory> make_packed_factory(const model::ModelConfig& config,
                                                             const model::Safetensors& packed,
                                                             const EngineOptions& options);

/// Packs the weights of a bundle. Returns the bytes of model.packed. Throws what make_factory() throws, and ModelError
/// for a model that the engine does not support.
std::string pack_bundle(const model::Bundle& bundle, Precision precision);

}  // namespace ventris::engine
