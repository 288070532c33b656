#pragma once
#include <cstdint>
#include <limits>

/// How much memory a search needs, from the shape of a model and the sizes of sentences.
namespace ventris::decoding {

/// The size of sentences that are in a scorer or a decoder at the same time.
struct Load {
  int64_t sentences = 0;
  int64_t rows = 0;            ///< hypotheses
  int64_t source_tokens = 0;   ///< summed over the sentences
  int64_t source_places = 0;   ///< hypotheses x source tokens, summed over the sentences
  int64_t places = 0;          ///< hypotheses x maximum target tokens, summed over the sentences
  int64_t results = 0;         ///< results x maximum target tokens, summed over the sentences
  int64_t longest_source = 0;  ///< tokens
  int64_t longest_target = 0;  ///< tokens

  /// One sentence.
  static Load of(int64_t rows, int64_t source, int64_t target, int64_t results);
  /// Both together.
  Load plus(const Load& other) const;
  /// The larger number of each field: memory that was allocated for both, one after the other, and is kept.
  Load covering(const Load& other) const;
};

/// Upper bounds of the memory of a scorer or decoder, in bytes, without the weights. All are at least 0; 0 everywhere =
/// not known.
struct MemoryNeeds {
  int64_t fixed = 0;         ///< whatever the load
  int64_t sentence = 0;      ///< of a sentence
  int64_t source_token = 0;  ///< of a source token
  int64_t source_place = 0;  ///< of a hypothesis and a source token
  int64_t place = 0;         ///< of a hypothesis and a target token
  int64_t searched = 0;      ///< of a hypothesis and a source token, in a search over the paths of CTC
  int64_t result = 0;        ///< of a token of a result
  int64_t row = 0;           ///< of a hypothesis
  int64_t table = 0;  ///< of a hypothesis and a token of the longest target, whatever the length of the hypothesis
  int64_t longest = 0;        ///< of a token of the longest target, once
  int64_t weight = 0;         ///< of a place and a token of the longest sentence: attention to all of them at once
  int64_t encoded_token = 0;  ///< of a source token while it is encoded
  int64_t encoded_weight = 0;    ///< of a source token and a token of the longest source while it is encoded
  int64_t encoded_together =
      0;  ///< maximum source tokens that are encoded at the same time, unless a sentence has more
  bool pads_sources = false;  ///< every source takes as much as the longest
  bool pads_targets = false;  ///< every hypothesis takes as much as the longest
  bool one_row = false;  ///< all hypotheses of a sentence together take what one takes, apart from `searched`

  /// Of two scorers that work on the same sentences.
  MemoryNeeds plus(const MemoryNeeds& other) const;
};

/// Sentences are encoded together up to these limits, but at least one.
inline constexpr int64_t kTokensAtOnce = 4096;      ///< padded tokens
inline constexpr int64_t kWeightsAtOnce = 1 << 20;  ///< padded tokens x longest

/// An upper bound of the bytes for a load.
int64_t bytes_for(const MemoryNeeds& needs, const Load& load);

/// What the search itself needs, added to what its scorer needs.
MemoryNeeds with_search(MemoryNeeds needs);

/// The limits of what a decoder works on at the same time. A sentence above them is worked on alone.
struct DecodeLimits {
  int64_t sentences = 64;
  int64_t tokens = 4096;  ///< source tokens, with padding if the model needs it
  int64_t rows = 4096;    ///< hypotheses
  int64_t bytes = std::numeric_limits<int64_t>::max();  ///< of bytes_for()
};

bool fits(const Load& load, const MemoryNeeds& needs, const DecodeLimits& limits);

/// The maximum number of tokens, at most `model_max`, such that a sentence of this length with a translation of this
/// length needs at most `bytes`; 0 = none.
int64_t longest_within(int64_t bytes, const MemoryNeeds& needs, int64_t rows, int64_t results, int64_t model_max);

}  // namespace ventris::decoding
