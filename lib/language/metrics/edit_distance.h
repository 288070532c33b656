#pragma once
#include <cstdint>
#include <vector>

#include "metrics/ngrams.h"

namespace ventris::metrics {

/// How the words of two sentences correspond with the fewest edits.
struct EditAlignment {
  std::vector<int> hypothesis_position;  ///< per reference word: the word that it matches or follows; -1 = none
  std::vector<int> hypothesis_errors;    ///< [length + 1] errors in the first i words of the hypothesis
  std::vector<int> reference_errors;     ///< the same for the reference
};

/// Edit distances from hypotheses of the same length to one reference, within a beam around the diagonal. The matrix of
/// the last aligned hypothesis is kept, so that for a similar one, only the rows that differ are computed.
class BeamEditDistance {
 public:
  BeamEditDistance(size_t hypothesis_length, Symbols reference);

  /// The edit distance and alignment of a hypothesis. Later calls of distance() refer to this hypothesis.
  int align(const Symbols& hypothesis, EditAlignment& alignment);

  /// The edit distance of a hypothesis whose first `same` words are those of the last aligned one. If the distance is
  /// over `limit`, the result may be any number over `limit`.
  int distance(const Symbols& hypothesis, size_t same, int limit);

 private:
  /// The part of a row that is computed: cells `begin` to `end`. The row below reads cells before `reach`.
  struct Beam {
    size_t begin, end, reach;
  };
  void fill_row(const int* above, int* row, uint32_t word, const Beam& beam) const;
  int least_total(const int* row, size_t row_number) const;
  void trace(const Symbols& hypothesis, EditAlignment& alignment) const;
  const int* row(size_t i) const { return matrix_.data() + offsets_[i]; }

  size_t length_;  // of hypotheses
  Symbols reference_;
  size_t width_;  // of a row: length of the reference + 1
  std::vector<Beam> beams_;      // of each row
  std::vector<size_t> offsets_;  // where each row's cell 0 would be in matrix_, which has cells begin - 1 to reach
  std::vector<int> matrix_, scratch_;
};

}  // namespace ventris::metrics
