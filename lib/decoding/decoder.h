#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/writing.h"
#include "decoding/search.h"
#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// Translates sentences, from ids to ids. It is a translator's only interface to a model. One thread at a time.
class Decoder {
 public:
  virtual ~Decoder() = default;

  virtual int64_t max_length() const = 0;  ///< maximum length of source and target, in tokens with eos

  /// How the model writes; check(options, writing()) tells which options it takes.
  virtual core::Writing writing() const { return {}; }

  /// The n best translations of each sentence, best first, at least one. Throws as search() does.
  virtual std::vector<std::vector<Hypothesis>> decode(std::span<const Sentence> sentences,
                                                      const SearchOptions& options) = 0;
};

/// A decoder that calls search() with a model that decodes token by token.
std::unique_ptr<Decoder> make_search_decoder(std::unique_ptr<StepScorer> scorer);

}  // namespace ventris::decoding
