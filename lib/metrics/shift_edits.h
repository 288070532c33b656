#pragma once
#include <cstdint>

#include "metrics/ngrams.h"

namespace ventris::metrics {

/// Number of edits that make the reference of the hypothesis: insertions, deletions, substitutions and shifts of word
/// sequences, found greedily with the limits of Tercom as sacreBLEU 2.6 has them (Snover et al. 2006, algorithm 1):
/// shifts of at most 10 words over a distance of at most 50, the edit distance within 25 words around the diagonal,
/// at most 1,000 shifts looked at.
int64_t shift_edits(const Symbols& hypothesis, const Symbols& reference);

}  // namespace ventris::metrics
