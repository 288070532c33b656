#pragma once
#include <optional>
#include <string>
#include <vector>

#include "inspection/corpus_statistics.h"
#include "text/line_reader.h"

namespace ventris::inspection {

/// A line of a corpus, of one or both sides.
struct CorpusLine {
  int64_t number = 0;  ///< from 1
  std::string source, target;
  bool has_source = true;  ///< false if the file is shorter than the other, or a row does not have two columns
  bool has_target = true;  ///< also false in a corpus with one side
};

/// Reads all lines of both sides, up to the end of the longer one.
class CorpusLines {
 public:
  /// Throws DataError if a file cannot be read.
  explicit CorpusLines(const CorpusPaths& paths);

  /// False at the end.
  bool next(CorpusLine& line);

  const text::LineCounts& source() const { return source_.counts(); }
  const text::LineCounts& target() const { return target_ ? target_->counts() : source_.counts(); }

  /// The rows of a TSV file that do not have two columns.
  const LineTally& bad_rows() const { return bad_rows_; }

 private:
  void split(CorpusLine& line);

  CorpusPaths paths_;
  text::LineReader source_;
  std::optional<text::LineReader> target_;
  LineTally bad_rows_;
  int64_t lines_ = 0;
};

}  // namespace ventris::inspection
