#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ventris::text {

class ByteSource;

/// What to do with bad lines.
struct LineReaderOptions {
  size_t max_bytes = 1 << 20;  ///< longer lines are cut to this length, between two characters, and counted
  bool strict = false;         ///< invalid UTF-8 throws DataError instead of being replaced by U+FFFD and counted
};

/// Counts of lines and of bad lines. Line numbers count from 1; 0 = none.
struct LineCounts {
  int64_t before = 0;  ///< lines of the file before those that are read
  int64_t lines = 0;   ///< these included
  int64_t bytes = 0;   ///< in the (unpacked) file of the lines that were read, including line ends
  int64_t carriage_returns = 0;  ///< lines of those read that end with CR LF
  int64_t invalid_utf8 = 0;
  int64_t first_invalid_utf8 = 0;
  int64_t too_long = 0;
  int64_t first_too_long = 0;
};

/// Reads the lines of a plain or gzipped file, or of standard input ("-"). Other files, also text in UTF-16, are
/// refused (file_kinds.h). Only LF ends a line. One CR before it is removed, and so is a byte-order mark at the start
/// of the file. A last line without LF counts. Every returned line is valid UTF-8. Memory: one line and one block.
class LineReader {
 public:
  /// Throws DataError if the file cannot be read.
  explicit LineReader(const std::string& path, const LineReaderOptions& options = {});
  /// Reads these bytes instead of those of the file; `path` is for messages. `lines_before`: how many lines the file
  /// has before these bytes.
  LineReader(const std::string& path, std::unique_ptr<ByteSource> bytes, const LineReaderOptions& options = {},
             int64_t lines_before = 0);
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  /// Reads the next line, without its line end. False at the end of the input. Throws DataError for a damaged or
  /// truncated gzip stream, and Interrupted if a block has to be read after a stop signal (core/process.h).
  bool next(std::string& line);

  /// Whether next() would return without waiting for a slow writer (a terminal, a pipe). True for files, and at the
  /// end.
  bool ready();

  const LineCounts& counts() const;
  const std::string& path() const;

  /// The length to which lines are cut: "1 MiB".
  std::string limit() const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

/// The amount of text that a LineReader would read.
struct FileSize {
  int64_t lines = 0;
  int64_t bytes = 0;  ///< as LineCounts::bytes
};

/// Measures a file by reading all of it. Throws DataError if it cannot be read, and Interrupted after a stop signal
/// (core/process.h).
FileSize measure_lines(const std::string& path);

/// The same, lines only.
int64_t count_lines(const std::string& path);

/// What is between the TABs of a line; at least one column. The views are parts of `line`.
std::vector<std::string_view> find_columns(std::string_view line);

/// The same as texts; throws DataError naming path, line and further columns if there are not exactly `columns` fields.
std::vector<std::string> split_columns(const std::string& line, size_t columns, const std::string& path,
                                       int64_t line_number);

/// The two columns of a line of sentence pairs. A blank line is a pair of two empty texts, as in two files.
std::vector<std::string> split_pair(const std::string& line, const std::string& path, int64_t line_number);

}  // namespace ventris::text
