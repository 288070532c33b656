#pragma once
#include <optional>
#include <string>
#include <vector>

#include "inspection/corpus_statistics.h"
#include "text/line_reader.h"

namespace ventris::inspection {

/// A line of a corpus, or of both its sides.
struct CorpusLine {
  int64_t number = 0;  ///< from 1
  std::string source, target;
  bool has_source = true;  ///< false where the file is shorter than the other, or a row has not two columns
  bool has_target = true;  ///< false also in a corpus of one side
};

/// Hands out all lines of both sides, to the end of the longer one.
class CorpusLines {
 public:
  /// Throws DataError if a file cannot be read.
  explicit CorpusLines(const CorpusPaths& paths);

  /// False at the end.
  bool next(CorpusLine& line);

  const text::LineCounts& source() const { return source_.counts(); }
  const text::LineCounts& target() const { return target_ ? target_->counts() : source_.counts(); }

  /// Rows of a TSV file that have not two columns.
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
