#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// What a search does against repetition; both look at the tokens of the target so far, a forced prefix included.
struct RepetitionOptions {
  int32_t no_repeat_ngram = 0;  ///< no sequence of so many tokens comes twice; 0 = they may
  double penalty = 1.0;  ///< log-probabilities of tokens that are there already are multiplied by it; 1 = none

  bool any() const { return no_repeat_ngram > 0 || penalty != 1.0; }
};

/// What there is against each token that may come after `target`: sorted by id, each id once, of row 0.
std::vector<Penalty> repetition_penalties(std::span<const int32_t> target, const RepetitionOptions& options);

/// The factor of this id among penalties sorted by id; 1 if there is none.
float factor_of(std::span<const Penalty> penalties, int32_t id);

/// Whether a translation goes round in circles: the same tokens, one or more, stand three times in a row or more, and
/// this stretch has at least six tokens.
bool is_repetitive(std::span<const int32_t> ids);

}  // namespace ventris::decoding
