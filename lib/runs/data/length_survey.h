#pragma once
#include <cstdint>
#include <vector>

#include "data/pair_store.h"

namespace ventris::data {

/// The number of sentences of each length in a store, by tokens without bos and eos.
struct LengthSurvey {
  uint64_t pairs = 0;  ///< pairs that were counted
  std::vector<uint64_t> source, target;
};

/// Counts all pairs, or, if there are more than `most`, groups of neighbours spread evenly over the store. Throws
/// DataError if lengths cannot be read.
LengthSurvey survey_lengths(const PairStore& pairs, uint64_t most = 1 << 18);

}  // namespace ventris::data
