#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "text/line_reader.h"

namespace ventris::text {

/// What a person should know about the lines read so far, a sentence each; nothing if all were as they should be.
std::vector<std::string> complaints(const LineReader& reader);

/// Each of them as a warning in the log.
void warn_about(const LineReader& reader);

/// The lines of several files, one after the other.
class LineSequence {
 public:
  /// Calls `at_end` (if there is one) with the reader of each file that has come to its end. Throws DataError if a file
  /// cannot be read; pipes are looked at only when their turn comes, since opening one twice may end its writer.
  explicit LineSequence(std::vector<std::string> paths, const LineReaderOptions& options = {},
                        std::function<void(const LineReader&)> at_end = {});

  /// The next line; false when all files are at their ends. Throws as LineReader does.
  bool next(std::string& line);

  int64_t lines() const { return lines_; }  ///< handed out so far, over all files
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
