#pragma once
#include <cstddef>
#include <cstdint>

#include "data/pair_store.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// Settings of subword sampling.
struct SamplingOptions {
  double alpha = 0;  ///< see Tokenizer::sample
  bool source = true;
  bool target = true;
  int64_t max_length = 256;  ///< maximum tokens per side, including a tag; a longer draw is not used
  uint64_t seed = 1;
};

/// Draws new segmentations of the sides of a pair, as a function of (seed, epoch, pair, side).
class SubwordSampler {
 public:
  SubwordSampler(const text::Tokenizer& source, const text::Tokenizer& target, const SamplingOptions& options)
      : source_(source), target_(target), options_(options) {}

  /// Replaces the ids of pair `number`, whose source begins with `tag_tokens` ids of a tag. A side keeps its ids if it
  /// has no text, or if the draw has more than max_length tokens, or more than twice the tokens of the plain ids plus 4
  /// (batches are planned with the plain ids).
  void redraw(SentencePair& pair, uint64_t number, uint32_t tag_tokens, uint64_t epoch) const;

 private:
  text::Tokenizer source_, target_;
  SamplingOptions options_;
};

}  // namespace ventris::data
