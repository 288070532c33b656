#include "text/line_sequence.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/log.h"
#include "files/files.h"

namespace ventris::text {
namespace {

namespace fs = std::filesystem;

bool may_be_opened_twice(const std::string& path) {
  std::error_code error;
  return path != "-" && !fs::is_fifo(path, error) && !fs::is_character_file(path, error);
}

}  // namespace

std::string about_invalid_utf8(const std::string& path, const LineCounts& counts) {
  std::string text =
      fmt::format("{}: {} of {} lines are not valid UTF-8 (the first is line {}); bad bytes became U+FFFD", path,
                  counts.invalid_utf8, counts.lines - counts.before, counts.first_invalid_utf8);
  if (is_other_encoding(counts)) {
    text += fmt::format(
        "; this is {:.0f} % OF ALL LINES: the file is probably in another encoding, such as Windows-1252; convert it "
        "first, for example with: iconv -f WINDOWS-1252 -t UTF-8 FILE > NEW-FILE",
        std::max(1.0,
                 100.0 * static_cast<double>(counts.invalid_utf8) / static_cast<double>(counts.lines - counts.before)));
  }
  return text;
}

bool is_other_encoding(const LineCounts& counts) {
  constexpr int64_t kLeast = 3;      // one or two bad lines may be by chance
  constexpr int64_t kLeastOf = 100;  // lines, for one that is bad
  return counts.invalid_utf8 >= kLeast && counts.invalid_utf8 * kLeastOf >= counts.lines - counts.before;
}

std::vector<std::string> complaints(const LineReader& reader) {
  const LineCounts& counts = reader.counts();
  std::vector<std::string> all;
  if (counts.invalid_utf8 > 0) {
    all.push_back(about_invalid_utf8(reader.path(), counts));
  }
  if (counts.too_long > 0) {
    all.push_back(fmt::format("{}: {} of {} lines are over {} (the first is line {}) and were cut", reader.path(),
                              counts.too_long, counts.lines - counts.before, reader.limit(), counts.first_too_long));
  }
  return all;
}

void warn_about(const LineReader& reader) {
  for (const std::string& complaint : complaints(reader)) core::log_warning(complaint);
}

void announce_terminal(const std::string& path) {
  if (path != "-" || isatty(STDIN_FILENO) == 0) return;
  core::log_info("waiting for lines from the terminal; each is answered at once, Ctrl-D ends the input");
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
