#include "formats/document_text.h"

#include <algorithm>

#include "markup/markup.h"
#include "text/file_kinds.h"
#include "text/valid_utf8.h"

namespace ventris::formats {

void check_text(std::string_view document, std::string_view advice) {
  if (const auto encoding = text::foreign_encoding(document.substr(0, text::kBytesOfKind))) {
    fail<markup::MarkupError>("line 1: the file ", *encoding);
  }
  if (text::is_valid_utf8(document)) return;
  int64_t line = 1;
  for (const ByteRange& range : lines_of(document)) {
    if (!text::is_valid_utf8(part_of(document, range))) break;
    ++line;
  }
  fail<markup::MarkupError>("line ", line, ": has bytes that are not UTF-8; ", advice);
}

std::vector<ByteRange> lines_of(std::string_view document, size_t begin) {
  std::vector<ByteRange> lines;
  while (begin < document.size()) {
    const size_t feed = std::min(document.find('\n', begin), document.size());
    const bool carriage = feed > begin && feed < document.size() && document[feed - 1] == '\r';
    lines.push_back({begin, carriage ? feed - 1 : feed});
    begin = feed + 1;
  }
  return lines;
}

std::vector<ByteRange> lines_with_carriage_returns(std::string_view document, size_t begin) {
  std::vector<ByteRange> lines;
  while (begin < document.size()) {
    const size_t end = std::min(document.find_first_of("\r\n", begin), document.size());
    lines.push_back({begin, end});
    begin = end + (document.substr(end).starts_with("\r\n") ? 2 : 1);
  }
  return lines;
}

std::string_view line_end_of(std::string_view document) {
  const size_t feed = document.find('\n');
  return feed != std::string_view::npos && feed > 0 && document[feed - 1] == '\r' ? "\r\n" : "\n";
}

int64_t LineCounter::line_of(size_t at) {
  line_ += std::ranges::count(document_.substr(at_, at - at_), '\n');
  at_ = at;
  return line_;
}

std::string shown(std::string_view text) {
  constexpr size_t kMost = 40;
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  return line.size() <= kMost ? std::string(line) : std::string(text::cut_utf8(line, kMost)) + "...";
}

std::string replaced(std::string_view document, const std::vector<Replacement>& replacements) {
  std::string written;
  size_t done = 0;
  for (const Replacement& one : replacements) {
    written.append(document, done, one.range.begin - done);
    written += one.text;
    done = one.range.end;
  }
  return written.append(document, done);
}

}  // namespace ventris::formats
