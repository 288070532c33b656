#include "markup/simple_tables.h"

#include <algorithm>

#include "markup/characters.h"

namespace ventris::markup {
namespace {

constexpr size_t kNoTable = std::string_view::npos;

/// Whether a line has at least two runs of hyphens.
bool is_line_of_columns(std::string_view line) {
  constexpr size_t kShortest = 3;
  if (line.find_first_not_of("- ") != kNoTable) return false;
  size_t runs = 0;
  for (size_t at = line.find('-'); at != kNoTable; at = line.find('-', at)) {
    const size_t size = run_of(line, at, "-");
    if (size < kShortest) return false;
    at += size;
    ++runs;
  }
  return runs > 1;
}

/// Whether a line has text, and spaces wherever the line of columns has some between its hyphens.
bool has_columns(std::string_view line, std::string_view columns) {
  const size_t size = std::min(line.size(), columns.size());
  for (size_t at = std::min(columns.find('-'), size); at < size; ++at) {
    if (columns[at] == ' ' && line[at] != ' ') return false;
  }
  return !line.empty();
}

/// The lines of a document, one by one, without blanks at their ends.
class Lines {
 public:
  Lines(std::string_view document, size_t at) : document_(document), next_(at) {}

  std::string_view take() {
    const size_t begin = std::min(next_, document_.size());
    end_ = std::min(document_.find('\n', begin), document_.size());
    next_ = end_ + 1;
    const std::string_view line = document_.substr(begin, end_ - begin);
    return line.substr(0, line.find_last_not_of(" \t\r") + 1);
  }
  /// Of the line that was taken last.
  size_t end() const { return end_; }

 private:
  std::string_view document_;
  size_t next_, end_ = 0;
};

}  // namespace

size_t end_of_simple_table(std::string_view document, size_t line) {
  constexpr size_t kShortest = 3;
  Lines lines(document, line);
  const std::string_view first = lines.take();
  const bool headless = is_line_of_columns(first);
  const std::string_view columns = headless ? first : lines.take();
  if (!is_line_of_columns(columns) || !has_columns(first, columns)) return kNoTable;
  size_t rows = 0, end = lines.end();
  std::string_view last = columns;
  for (std::string_view row = lines.take(); !row.empty(); row = lines.take(), ++rows) {
    if (!has_columns(row, columns)) return kNoTable;
    last = row;
    end = lines.end();
  }
  const bool closed = !headless || is_line_of_columns(last);
  const size_t least = headless ? 2 : 1;  // with the line that closes it
  return closed && rows >= least && std::min(first.size(), last.size()) >= kShortest ? end : kNoTable;
}

}  // namespace ventris::markup
