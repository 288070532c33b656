#pragma once
#include <cstdint>

#include "alignment/alignment_model.h"
#include "alignment/sentence_pairs.h"

namespace ventris::alignment {

/// Settings of estimate_alignment().
struct EstimationOptions {
  int model1_iterations = 4;        ///< of IBM model 1, at least 1
  int hmm_iterations = 4;           ///< of hidden Markov models, at least 1 (0 for tests)
  int64_t max_pairs = 500'000;  ///< if more can have links, a random sample of about this many is used; at least 1
  uint64_t seed = 1;  ///< of that sample
  int threads = 1;  ///< the result does not depend on it
};

/// A model, and how the same pairs can be linked.
struct EstimatedModel {
  AlignmentModel model;
  Spelling spelling = Spelling::kQuick;  ///< kCompared if a sample was used, or if the table of words is not complete
};

/// Estimates both directions at once from sentence pairs: first with IBM model 1, then with hidden Markov models. What
/// counts as linked is the product of the probabilities that both directions give to a link. Source: Liang et al. 2006,
/// "Alignment by agreement", section 3.
///
/// Memory besides the pairs: for 100,000 pairs of 25 words, about 500 MiB. In general: 4 bytes for each probability
/// over 1 / 16,384 (100 to 300 in a pair), 4 for each source word, and for each of the two tables (words, classes) 16
/// bytes for a place, 2 to 4 places for a pair of words that are together in two sentence pairs, at most 512 MiB; and
/// 12 bytes for each of these pairs while a table is made. Throws DataError if no pair can have links; Interrupted
/// after a stop signal.
EstimatedModel estimate_alignment(const SentencePairs& pairs, const EstimationOptions& options);

}  // namespace ventris::alignment
