#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "text/line_reader.h"

namespace ventris::text {

/// Whether a hundredth of the lines or more, and at least three, have invalid UTF-8, so that the file is probably in
/// another encoding.
bool is_other_encoding(const LineCounts& counts);

/// One sentence about them; counts.invalid_utf8 > 0.
std::string about_invalid_utf8(const std::string& path, const LineCounts& counts);

/// Warnings about the lines read so far, one sentence each; empty if there were no bad lines.
std::vector<std::string> complaints(const LineReader& reader);

/// Logs each of them as a warning.
void warn_about(const LineReader& reader);

/// Logs that the program waits for lines and answers each at once, if `path` is "-" and standard input is a terminal.
void announce_terminal(const std::string& path);

/// The lines of several files, one after the other.
class LineSequence {
 public:
  /// Calls `at_end`, if given, with the reader of each file that was read to its end. Throws DataError if a file cannot
  /// be read. Pipes are opened only when they are read, because opening a pipe twice may end its writer.
  explicit LineSequence(std::vector<std::string> paths, const LineReaderOptions& options = {},
                        std::function<void(const LineReader&)> at_end = {});

  /// Reads the next line; false at the end of the last file. Throws as LineReader does.
  bool next(std::string& line);

  int64_t lines() const { return lines_; }  ///< lines read so far, of all files
  bool finished() const { return next_file_ == paths_.size() && !reader_; }

 private:
  std::vector<std::string> paths_;
  LineReaderOptions options_;
  std::function<void(const LineReader&)> at_end_;
  std::optional<LineReader> reader_;
  size_t next_file_ = 0;
  int64_t lines_ = 0;
};

}  // namespace ventris::text
