#pragma once
#include <cstdint>
#include <vector>

#include "data/corpus.h"

namespace ventris::lexicon {

/// Settings of learn_ibm_model1().
struct IbmModel1Options {
  int iterations = 5;
  int threads = 1;              ///< the result does not depend on it
  size_t most_targets = 1000;   ///< targets that a source piece keeps after an iteration: the most probable ones
  float least = 1e-6F;          ///< less probable targets are dropped after an iteration
};

/// t(target | source).
struct PieceTranslation {
  int32_t target;
  float probability;
};

/// The translations of each source id, ascending by target. The last row is that of the null word, which stands at the
/// beginning of every source.
using TranslationTable = std::vector<std::vector<PieceTranslation>>;

/// Estimates t(target | source) by expectation maximisation, from uniform values. Source: Brown et al. 1993, section
/// 4.1 (model 1). The corpus has at least one pair.
///
/// Memory besides the corpus: 4 bytes for each source token, 4 bytes for each target token, 8 bytes for each
/// translation that is kept, and 12 bytes for each target piece and thread. Throws Interrupted after a stop signal.
TranslationTable learn_ibm_model1(const data::ParallelCorpus& corpus, int64_t source_vocab, int64_t target_vocab,
                                  const IbmModel1Options& options);

}  // namespace ventris::lexicon
