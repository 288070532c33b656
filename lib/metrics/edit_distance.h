#pragma once
#include <cstdint>
#include <vector>

#include "metrics/ngrams.h"

namespace ventris::metrics {

/// How two sentences lie side by side after the fewest edits.
struct EditAlignment {
  std::vector<int> hypothesis_position;  ///< of each reference word: the word it stands beside or behind, -1 = none
  std::vector<int> hypothesis_errors;    ///< errors in the first so many words of the hypothesis; [length + 1]
  std::vector<int> reference_errors;     ///< the same of the reference
};

/// Edit distances from hypotheses of one length to one reference, within a beam around the diagonal. The matrix of the
/// hypothesis last aligned is kept, so that a similar one costs only the rows in which it differs.
class BeamEditDistance {
 public:
  BeamEditDistance(size_t hypothesis_length, Symbols reference);

  /// Edit distance and alignment of a hypothesis; the others are compared with it.
  int align(const Symbols& hypothesis, EditAlignment& alignment);

  /// Edit distance of a hypothesis whose first `same` words are those of the one last aligned. A distance over `limit`
  /// may be answered by any number over `limit`.
  int distance(const Symbols& hypothesis, size_t same, int limit);

 private:
  /// What is computed of a row: cells `begin` to `end`. The row below looks at those before `reach`.
  struct Beam {
    size_t begin, end, reach;
  };
  void fill_row(const int* above, int* row, uint32_t word, const Beam& beam) const;
  int least_total(const int* row, size_t row_number) const;
  void trace(const Symbols& hypothesis, EditAlignment& alignment) const;
  const int* row(size_t i) const { return matrix_.data() + offsets_[i]; }

  size_t length_;  // of hypotheses
  Symbols reference_;
  size_t width_;  // of a row: one more than the reference
  std::vector<Beam> beams_;      // of each row
  std::vector<size_t> offsets_;  // where each row's cell 0 would be in matrix_, which has cells begin - 1 to reach
  std::vector<int> matrix_, scratch_;
};

}  // namespace ventris::metrics
