#pragma once
#include <cstdint>

#include "metrics/ngrams.h"

namespace ventris::metrics {

/// The number of edits that turn the hypothesis into the reference: insertions, deletions, substitutions and shifts of
/// word sequences, found greedily (Snover et al. 2006, algorithm 1). The limits of Tercom are those of sacreBLEU 2.6:
/// shifts of at most 10 words over a distance of at most 50, the edit distance within 25 words around the diagonal,
/// at most 1,000 shifts tried.
int64_t shift_edits(const Symbols& hypothesis, const Symbols& reference);

}  // namespace ventris::metrics
