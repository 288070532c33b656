#pragma once
#include <cstdint>
#include <vector>

namespace ventris::inspection {

/// How long the lines of a text are, in whatever is counted. Every length is counted exactly; memory goes by the
/// longest, which is at most a million for a line reader's lines.
class LengthCounts {
 public:
  /// `line` counts from 1.
  void add(int64_t length, int64_t line);

  int64_t lines() const { return lines_; }
  int64_t total() const { return total_; }
  int64_t shortest() const;  ///< 0 if there are no lines
  int64_t longest() const { return counts_.empty() ? 0 : static_cast<int64_t>(counts_.size()) - 1; }
  int64_t longest_line() const { return longest_line_; }  ///< the first of that length; 0 = there are no lines
  double mean() const;                                    ///< 0 if there are no lines

  /// The smallest length that at least this share of the lines do not exceed; `share` in (0, 1]. 0 without lines.
  int64_t percentile(double share) const;

  /// Lines of lengths from `first` to `last`.
  struct Bin {
    int64_t first = 0;
    int64_t last = 0;
    int64_t lines = 0;
  };

  /// The empty lines, then at most `most` ranges of one round width up to the 99th percentile, then what is longer.
  std::vector<Bin> histogram(int64_t most = 12) const;

 private:
  int64_t count_between(int64_t first, int64_t last) const;

  std::vector<int64_t> counts_;  // by length
  int64_t lines_ = 0, total_ = 0, longest_line_ = 0;
};

}  // namespace ventris::inspection
