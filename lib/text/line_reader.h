#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ventris::text {

/// What to do with lines that are not as they should be.
struct LineReaderOptions {
  size_t max_bytes = 1 << 20;  ///< longer lines are cut here, at a character border, and counted
  bool strict = false;         ///< invalid UTF-8 throws DataError instead of being replaced by U+FFFD and counted
};

/// What was met while reading; line numbers count from 1, 0 = none.
struct LineCounts {
  int64_t lines = 0;
  int64_t bytes = 0;  ///< of these lines as they stand in the (unpacked) file, with their ends
  int64_t invalid_utf8 = 0;
  int64_t first_invalid_utf8 = 0;
  int64_t too_long = 0;
  int64_t first_too_long = 0;
};

/// Lines of a plain or gzipped (by the suffix .gz) file, or of standard input ("-").
/// Only LF ends a line; one CR before it is stripped; a byte-order mark at the very start is dropped; a last line
/// without LF is a line; every line handed out is valid UTF-8. Memory: one line and a block.
class LineReader {
 public:
  /// Throws DataError if the file cannot be read.
  explicit LineReader(const std::string& path, const LineReaderOptions& options = {});
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) noexcept;

  /// The next line, without its end. False at the end of the input. Throws DataError on a damaged or truncated gzip
  /// stream, Interrupted if a block has to be read after a stop signal (core/process.h).
  bool next(std::string& line);

  /// Whether next() would answer without waiting for a slow writer (a terminal, a pipe). True for files, and at the
  /// end.
  bool ready();

  const LineCounts& counts() const;
  const std::string& path() const;

 private:
  struct Source;
  std::unique_ptr<Source> source_;
};

/// How much a LineReader would hand out.
struct FileSize {
  int64_t lines = 0;
  int64_t bytes = 0;  ///< as LineCounts::bytes
};

/// Reads the whole file for it. Throws DataError if it cannot be read, Interrupted after a stop signal
/// (core/process.h).
FileSize measure_lines(const std::string& path);

/// The same, lines only.
int64_t count_lines(const std::string& path);

/// Splits at TABs; throws DataError naming path and line if there are not exactly `columns` fields.
std::vector<std::string> split_columns(const std::string& line, size_t columns, const std::string& path,
                                       int64_t line_number);

}  // namespace ventris::text
