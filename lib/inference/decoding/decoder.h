#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "architecture/writing.h"
#include "decoding/memory_needs.h"
#include "decoding/search.h"
#include "decoding/sentence_stream.h"
#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// Translates sentences, from ids to ids. It is a translator's only interface to a model. One thread at a time.
class Decoder {
 public:
  virtual ~Decoder() = default;

  virtual int64_t max_length() const = 0;  ///< maximum length of source and target, in tokens with eos

  /// How the model writes; check(options, writing()) tells which options it takes.
  virtual architecture::Writing writing() const { return {}; }

  /// An upper bound of its memory, without the weights.
  virtual MemoryNeeds memory() const { return {}; }

  /// Translates the sentences of a stream until it has none, at most `limits` at the same time. By default, it calls
  /// decode() for as many as fit. Throws as search() does, and what the stream throws.
  virtual void translate(SentenceStream& stream, const SearchOptions& options, const DecodeLimits& limits);

  /// The n best translations of each sentence, best first, at least one. Throws as search() does.
  virtual std::vector<std::vector<Hypothesis>> decode(std::span<const Sentence> sentences,
                                                      const SearchOptions& options) = 0;
};

/// A decoder that calls search() and search_stream() with a model that decodes token by token.
std::unique_ptr<Decoder> make_search_decoder(std::unique_ptr<StepScorer> scorer);

}  // namespace ventris::decoding
