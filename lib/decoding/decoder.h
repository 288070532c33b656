#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "decoding/search.h"
#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// Translates sentences, ids to ids: all that a translator knows of a model. Used by one thread at a time.
class Decoder {
 public:
  virtual ~Decoder() = default;

  virtual int64_t max_length() const = 0;  ///< longest source and longest target of the model, in tokens with eos

  /// The n best translations of each sentence, best first, at least one. Throws as search() does.
  virtual std::vector<std::vector<Hypothesis>> decode(std::span<const Sentence> sentences,
                                                      const SearchOptions& options) = 0;
};

/// search() over a model that decodes token by token.
std::unique_ptr<Decoder> make_search_decoder(std::unique_ptr<StepScorer> scorer);

/// A decoder for the models of a factory.
std::unique_ptr<Decoder> make_decoder(const ScorerFactory& models);

}  // namespace ventris::decoding
