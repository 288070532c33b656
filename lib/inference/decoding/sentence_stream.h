#pragma once
#include <functional>
#include <vector>

#include "decoding/search.h"

namespace ventris::decoding {

/// Where a decoder gets its sentences, one after the other, and where it puts their translations. Called by the
/// decoder's thread only.
class SentenceStream {
 public:
  virtual ~SentenceStream() = default;

  /// Takes the next sentence if `accept` returns true for it. Null if it does not, or if there is none. The sentence
  /// is valid until done() is called with it.
  virtual const Sentence* take(const std::function<bool(const Sentence& sentence)>& accept) = 0;

  /// Gets the n best translations of a sentence, best first, at least one; in any order of the sentences.
  virtual void done(const Sentence& sentence, std::vector<Hypothesis> results) = 0;
};

}  // namespace ventris::decoding
