#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/pair_store.h"
#include "data/subword_sampler.h"

namespace ventris::data {

/// Which sides of a pair get the sentences before it.
enum class ContextSides { kSource, kBoth };

/// Context in the training data.
struct ContextOptions {
  int64_t sentences = 0;                     ///< most sentences before that of the pair; 0 = off
  ContextSides sides = ContextSides::kSource;
  std::string separator = "<sep>";           ///< piece after each sentence of the context
  double single = 0.2;                       ///< probability that a pair gets no context, in [0, 1)
};

/// Puts the pairs before a pair in its document in front of it, each followed by a separator, as a function of (seed,
/// epoch, pair). Several threads may use it at the same time.
/// Source: Tiedemann and Scherrer 2017, "Neural machine translation with extended context", sections 3.1 and 3.2.
class PairContext {
 public:
  /// What every pair gets.
  struct Rules {
    int64_t sentences = 1;  ///< at least 1
    bool both = false;      ///< also before the target
    double single = 0;      ///< as ContextOptions
    int64_t max_length = 256;  ///< of a side with its context and tag, without eos; the oldest sentences are left out
    uint64_t seed = 1;
    int32_t source_separator = 0, target_separator = 0;  ///< ids
  };

  explicit PairContext(const Rules& rules) : rules_(rules) {}

  /// The context of `pair`, which is pair `number` of `store` with its plain segmentation: the pairs before it, the
  /// oldest first, without tags. Throws as PairStore::pair does.
  std::vector<SentencePair> of(const PairStore& store, uint64_t number, uint64_t epoch, const SentencePair& pair) const;

  /// Puts the context in front of `pair`, behind the `tag_tokens` ids of its tag. Sentences that do not fit (because
  /// drawn segmentations are longer) are left out, the oldest first.
  void put(std::vector<SentencePair> context, uint32_t tag_tokens, SentencePair& pair) const;

  /// Adds the context to the lengths of these pairs (ascending, may repeat).
  void add_lengths(const PairStore& store, uint64_t epoch, std::span<const uint32_t> pairs,
                   std::span<PairLengths> lengths) const;

 private:
  bool is_single(uint64_t epoch, uint64_t number) const;
  bool grow(PairLengths& sides, const PairLengths& by) const;

  Rules rules_;
};

}  // namespace ventris::data
