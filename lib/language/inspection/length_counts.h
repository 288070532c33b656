#pragma once
#include <cstdint>
#include <vector>

namespace ventris::inspection {

/// The lengths of the lines of a text, in any unit. Every length is counted exactly. Memory is proportional to the
/// largest length, which is at most a million for the lines of a LineReader.
class LengthCounts {
 public:
  /// `line` counts from 1.
  void add(int64_t length, int64_t line);

  int64_t lines() const { return lines_; }
  int64_t total() const { return total_; }
  int64_t shortest() const;  ///< 0 if there are no lines
  int64_t longest() const { return counts_.empty() ? 0 : static_cast<int64_t>(counts_.size()) - 1; }
  int64_t longest_line() const { return longest_line_; }  ///< number of the first one; 0 if there are no lines
  double mean() const;                                    ///< 0 if there are no lines

  /// The smallest length that at least `share` of the lines do not exceed, share in (0, 1]; 0 if there are no lines.
  int64_t percentile(double share) const;

  /// Lines of lengths from `first` to `last`.
  struct Bin {
    int64_t first = 0;
    int64_t last = 0;
    int64_t lines = 0;
  };

  /// The empty lines, then at most `most` ranges of equal round width up to the 99th percentile, then all longer lines.
  std::vector<Bin> histogram(int64_t most = 12) const;

 private:
  int64_t count_between(int64_t first, int64_t last) const;

  std::vector<int64_t> counts_;  // by length
  int64_t lines_ = 0, total_ = 0, longest_line_ = 0;
};

}  // namespace ventris::inspection
