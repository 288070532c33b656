#pragma once
#include <cstdint>
#include <vector>

#include "alignment/pair_counts.h"
#include "alignment/sentence_pairs.h"

namespace ventris::alignment {

/// What the numbers of a table stand for.
enum class Unit { kWords, kClasses };

/// A table with counts of 0.
struct Cooccurrences {
  PairCounts pairs;
  bool all_alike = true;  ///< whether all pairs that are spelt alike are there
};

/// The pairs that are in both sides of at least two of these sentence pairs; of words, also those that are in one and
/// spelt alike. If these are more than `most` pairs, two and one become three and two, or four and three, and so on.
/// The result does not depend on `threads`. Throws Interrupted after a stop signal.
Cooccurrences cooccurring_pairs(const SentencePairs& pairs, const std::vector<uint32_t>& chosen, Unit unit, size_t most,
                                int threads);

}  // namespace ventris::alignment
