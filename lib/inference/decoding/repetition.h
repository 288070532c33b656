#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "decoding/step_scorer.h"

namespace ventris::decoding {

/// Settings against repetition. Both apply to the target tokens so far, including a forced prefix.
struct RepetitionOptions {
  int32_t no_repeat_ngram = 0;  ///< no sequence of this many tokens occurs twice; 0 = off
  double penalty = 1.0;  ///< multiplies the log-probabilities of tokens that already occur; 1 = off

  bool any() const { return no_repeat_ngram > 0 || penalty != 1.0; }
};

/// The penalties on the tokens that may follow `target`, sorted by id, each id once, with row 0. The ids in `forbidden`
/// are never continuations either.
std::vector<Penalty> repetition_penalties(std::span<const int32_t> target, const RepetitionOptions& options,
                                          std::span<const int32_t> forbidden = {});

/// The factor of this id in penalties that are sorted by id; 1 if there is none.
float factor_of(std::span<const Penalty> penalties, int32_t id);

/// Whether a translation repeats itself: one or more tokens occur three or more times in a row, over at least six
/// tokens.
bool is_repetitive(std::span<const int32_t> ids);

}  // namespace ventris::decoding
