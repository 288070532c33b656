#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "decoding/pair_scorer.h"

namespace ventris::decoding {

/// Pairs whose targets are decoded token by token, as rows of a scorer: the rows are those pairs that have a token at
/// the current position.
class PairRows {
 public:
  explicit PairRows(std::span<const Pair> pairs);

  std::vector<std::span<const int32_t>> sources() const;  ///< of all pairs, for StepScorer::admit

  /// Keeps the rows with a token at `position`; false if there are none.
  bool follow(size_t position, int32_t bos, int32_t eos);

  const std::vector<size_t>& pairs() const { return pair_of_row_; }  ///< the number of the pair of each row
  std::span<const int32_t> parents() const { return parents_; }      ///< as StepRequest::parents
  std::span<const int32_t> last_ids() const { return last_ids_; }    ///< the token before the position
  std::span<const int32_t> next_ids() const { return next_ids_; }    ///< the token at the position

 private:
  std::span<const Pair> pairs_;
  std::vector<size_t> pair_of_row_;
  std::vector<int32_t> parents_, last_ids_, next_ids_;
};

/// Calls use(first, count) for groups of neighbouring pairs that are best decoded together: with at most this many
/// tokens of sources and targets, unless one pair has more.
void each_group(std::span<const Pair> pairs, const std::function<void(size_t first, size_t count)>& use,
                size_t most_tokens = 4096);

}  // namespace ventris::decoding
