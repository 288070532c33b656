#pragma once
#include <optional>
#include <string>

#include "data/corpus_reader.h"
#include "memories/tmx_reader.h"
#include "text/line_reader.h"

namespace ventris::data {

/// Opens the only file of a corpus. A translation memory becomes two columns; `memory`, if given, becomes its reader,
/// which lives as long as the result, and otherwise null. Throws DataError if it cannot be read, or is a translation
/// memory where something else is expected.
text::LineReader open_one_file(const CorpusFiles& files, const memories::TmxReader** memory = nullptr);

/// The lines of a parallel corpus, pair by pair: of two files, or of the two columns of one. Of labelled text, the
/// second column is the source, and the label is the target.
class PairLines {
 public:
  /// Throws DataError if a file cannot be read.
  explicit PairLines(const CorpusFiles& files);

  /// False at the end of the shorter file. Throws DataError for a row that does not have two columns. Both texts are
  /// empty for a row that the reader cut (has_text()).
  bool next(std::string& source, std::string& target);

  /// Whether the texts of the last pair are known. If the reader cut a row of two columns, its columns are unknown.
  bool has_text() const { return target_ || !cut_; }

  bool cut() const { return cut_; }            ///< whether the reader cut a line of the last pair
  /// The units of a translation memory so far; null for other files.
  const memories::MemoryCounts* memory() const { return memory_ == nullptr ? nullptr : &memory_->counts(); }

  bool replaced() const { return replaced_; }  ///< whether the last pair had invalid UTF-8, which was replaced

 private:
  const memories::TmxReader* memory_ = nullptr;  // of source_
  text::LineReader source_;
  std::optional<text::LineReader> target_;  // none for a file with two columns
  bool labelled_;
  bool cut_ = false, replaced_ = false;
};

}  // namespace ventris::data
