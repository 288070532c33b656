#pragma once
#include <cstdint>
#include <vector>

#include "alignment/pair_counts.h"
#include "alignment/sentence_pairs.h"

namespace ventris::alignment {

/// What the numbers of a table stand for.
enum class Unit { kWords, kClasses };

/// A table, with counts of 0, of the pairs that are in both sides of at least two of these sentence pairs; of words,
/// also of those that are in one and spelt alike. With more than `most` pairs, only those in at least three sentence
/// pairs, or four, and so on. The result does not depend on `threads`. Throws Interrupted after a stop signal.
PairCounts cooccurring_pairs(const SentencePairs& pairs, const std::vector<uint32_t>& chosen, Unit unit, size_t most,
                             int threads);

}  // namespace ventris::alignment
