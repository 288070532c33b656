#pragma once
#include <cstdint>
#include <vector>

#include "data/pair_store.h"
#include "metrics/word_division.h"
#include "text/tokenizer.h"

namespace ventris::data {

/// Of a batch: how much a target token should look at a source token when it is written.
struct TokenLink {
  int32_t sentence = 0;
  int32_t target = 0, source = 0;  ///< positions in Batch::target_out and Batch::source
  float share = 0;  ///< those of a target token have the sum 1, times the line weight of the pair
  bool operator==(const TokenLink&) const = default;
};

/// Of which sides subword sampling draws new segmentations.
struct SampledSides {
  bool source = false, target = false;
};

/// Turns the links between words of a pair into links between its tokens. Several threads may use it.
class TokenLinker {
 public:
  TokenLinker(const text::Tokenizer& source, const text::Tokenizer& target, metrics::Division division,
              SampledSides sampled = {})
      : source_(source), target_(target), division_(division), sampled_(sampled) {}

  /// Appends the links of `pair`, which has its texts, and whose source begins with `tag_tokens` ids of a tag. Each
  /// token of a linked target word has the same share of all tokens of its source words; that of a word without links
  /// is linked to the eos of the source. A token belongs to all words of which it has a part, or, if it is only a
  /// space, to the next word. A pair of which a drawn segmentation has other words than the text (because of
  /// unknown tokens, or because normalisation divides or joins words) gets no links. Context has none.
  void link(const SentencePair& pair, uint32_t tag_tokens, int32_t sentence, std::vector<TokenLink>& links) const;

 private:
  text::Tokenizer source_, target_;
  metrics::Division division_;
  SampledSides sampled_;
};

}  // namespace ventris::data
