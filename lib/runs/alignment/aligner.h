#pragma once
#include <functional>
#include <vector>

#include "alignment/estimation.h"
#include "alignment/links.h"
#include "alignment/symmetrization.h"

namespace ventris::alignment {

/// Links with their probabilities.
struct AlignedPair {
  Links links;
  std::vector<float> probabilities;  ///< of each link: the mean over both directions; empty unless asked for
};

/// How links are made from a model.
struct LinkingOptions {
  Symmetrization symmetrization = Symmetrization::kGrowDiagFinalAnd;
  bool probabilities = false;
  Spelling spelling = Spelling::kCompared;
  int threads = 1;  ///< the result does not depend on it
};

/// The links of one direction: of each target word, the most probable source word (ties: the first), if it is more
/// probable than that the target word has none. With `backward`, the same with the sides exchanged.
Links best_links(const std::vector<float>& posteriors, size_t sources, size_t targets, bool backward);

/// Calls each(aligned) for every pair, in order. A pair that cannot have links has none. Memory: a block of pairs.
/// Throws Interrupted after a stop signal.
void link_pairs(const SentencePairs& pairs, const AlignmentModel& model, const LinkingOptions& options,
                const std::function<void(const AlignedPair&)>& each);

/// Settings of align().
struct AlignOptions {
  EstimationOptions estimation;
  Symmetrization symmetrization = Symmetrization::kGrowDiagFinalAnd;
};

/// Estimates a model from tokenized sentence pairs and links their words: one list for each pair, in order. Threads are
/// those of options.estimation. For guided training: the links do not depend on a translation model. Throws as
/// estimate_alignment() does.
///
///   SentencePairs pairs(kPrefix);
///   pairs.add(source_words, target_words);  // for each sentence pair
///   const std::vector<Links> links = align(pairs, {});
std::vector<Links> align(const SentencePairs& pairs, const AlignOptions& options);

/// Letters that words of a class have in common at their beginning, unless something else is chosen.
inline constexpr int kPrefix = 4;

}  // namespace ventris::alignment
