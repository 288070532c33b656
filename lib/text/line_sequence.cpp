#include "text/line_sequence.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "files/files.h"
#include "core/log.h"

namespace ventris::text {
namespace {

namespace fs = std::filesystem;

bool may_be_opened_twice(const std::string& path) {
  std::error_code error;
  return path != "-" && !fs::is_fifo(path, error) && !fs::is_character_file(path, error);
}

}  // namespace

std::vector<std::string> complaints(const LineReader& reader) {
  const LineCounts& counts = reader.counts();
  std::vector<std::string> all;
  if (counts.invalid_utf8 > 0) {
    all.push_back(fmt::format("{}: {} of {} lines are not valid UTF-8 (the first is line {}); bad bytes became U+FFFD",
                              reader.path(), counts.invalid_utf8, counts.lines, counts.first_invalid_utf8));
  }
  if (counts.too_long > 0) {
    all.push_back(fmt::format("{}: {} of {} lines are over 1 MiB (the first is line {}) and were cut", reader.path(),
                              counts.too_long, counts.lines, counts.first_too_long));
  }
  return all;
}

void warn_about(const LineReader& reader) {
  for (const std::string& complaint : complaints(reader)) core::log_warning(complaint);
}

LineSequence::LineSequence(std::vector<std::string> paths, const LineReaderOptions& options,
                           std::function<void(const LineReader&)> at_end)
    : paths_(std::move(paths)), options_(options), at_end_(std::move(at_end)) {
  for (const std::string& path : paths_) {
    if (may_be_opened_twice(path)) files::check_readable(path);
  }
}

bool LineSequence::next(std::string& line) {
  while (!finished()) {
    if (!reader_) reader_.emplace(paths_[next_file_++], options_);
    if (reader_->next(line)) {
      ++lines_;
      return true;
    }
    if (at_end_) at_end_(*reader_);
    reader_.reset();
  }
  return false;
}

}  // namespace ventris::text
