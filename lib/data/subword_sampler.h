#pragma once
#include <cstddef>
#include <cstdint>

#include "data/pair_store.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// Subword regularisation.
struct SamplingOptions {
  double alpha = 0;  ///< as Tokenizer::sample takes it
  bool source = true;
  bool target = true;
  int64_t max_length = 256;  ///< tokens a side, a tag's counted; a longer draw is not used
  uint64_t seed = 1;
};

/// Redraws the segmentation of a pair's sides, which (seed, epoch, pair, side) alone decides.
class SubwordSampler {
 public:
  SubwordSampler(const text::Tokenizer& source, const text::Tokenizer& target, const SamplingOptions& options)
      : source_(source), target_(target), options_(options) {}

  /// Replaces the ids of pair `number`, whose source begins with `tag_tokens` ids of a tag. A side keeps its ids if it
  /// has no text, or if its draw is over max_length or over twice those ids and 4: batches are planned by them.
  void redraw(SentencePair& pair, uint64_t number, uint32_t tag_tokens, uint64_t epoch) const;

 private:
  text::Tokenizer source_, target_;
  SamplingOptions options_;
};

}  // namespace ventris::data
