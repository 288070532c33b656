#pragma once
#include <cstdint>
#include <vector>

#include "data/pair_store.h"

namespace ventris::data {

/// How many sentences of each length a store has: counts[tokens], without bos and eos.
struct LengthSurvey {
  uint64_t pairs = 0;  ///< that were counted
  std::vector<uint64_t> source, target;
};

/// Counts all pairs, or, of more than `most`, stretches of neighbours spread evenly over the store. Throws DataError if
/// lengths cannot be read.
LengthSurvey survey_lengths(const PairStore& pairs, uint64_t most = 1 << 18);

}  // namespace ventris::data
