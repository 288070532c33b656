#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.h"
#include "files/files.h"
#include "text/line_reader.h"
#include "translation/open_scorers.h"
#include "translation/window_batches.h"

namespace ventris::encoding {

/// What a program that works on lines reads and writes, and how fast.
struct LineOptions {
  std::string input = "-";
  std::string output = "-";
  bool strict = false;  ///< refuse invalid UTF-8 instead of replacing it
  translation::ScorerSettings computing = {};  ///< device, backend and precision; the rest has no meaning
  int threads = 1;  ///< each of which works on batches of its own
  translation::BatchLimits batch = {};
  int64_t window_lines = 2000;  ///< lines that are read ahead and sorted by length
};

/// Throws ConfigError with the flag for a number of threads or a batch size that is not possible.
void check(const LineOptions& options);

/// The next line of an input.
struct LineRequest {
  std::string text;
  int64_t bytes = 0;  ///< as in text::LineCounts
};

/// An input file and the output made of it.
class LineFiles {
 public:
  /// Throws DataError or WriteError if a file cannot be opened.
  explicit LineFiles(const LineOptions& options);

  bool next(LineRequest& request);
  bool ready() { return input_.ready(); }
  void write(std::string_view bytes);
  void line_done() { ++lines_; }
  void commit() { output_.commit(); }
  void warn() const;  ///< logs what was wrong with the input
  /// Keeps what was written after a signal, and returns the exception to throw.
  Interrupted stopped(int signal);
  /// The same where another exception is handled, which goes on from here with what was kept.
  [[noreturn]] void fail_with_lines();

 private:
  LineOptions options_;
  text::LineReader input_;
  files::OutputFile output_;
  int64_t lines_ = 0;
};

/// How many lines there were, and how many of them were blank or cut.
struct LineReport {
  int64_t lines = 0, blank = 0, cut = 0, first_cut = 0;
  double seconds = 0;
};

/// Logs them: a warning if lines were cut, and a line about all.
void log_report(const LineReport& report);

}  // namespace ventris::encoding
