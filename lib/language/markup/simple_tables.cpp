#include "markup/simple_tables.h"

#include <algorithm>

#include "markup/characters.h"
#include "markup/each_line.h"

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

}  // namespace

size_t end_of_simple_table(std::string_view document, size_t line) {
  constexpr size_t kShortest = 3;
  std::string_view rest = document.substr(line);
  const std::string_view first = take_line(rest);
  const bool headless = is_line_of_columns(first);
  const std::string_view columns = headless ? first : take_line(rest);
  if (!is_line_of_columns(columns) || !has_columns(first, columns)) return kNoTable;
  size_t rows = 0;
  std::string_view last = columns;
  for (std::string_view row = take_line(rest); !row.empty(); row = take_line(rest), ++rows) {
    if (!has_columns(row, columns)) return kNoTable;
    last = row;
  }
  const bool closed = !headless || is_line_of_columns(last);
  const size_t least = headless ? 2 : 1;  // with the line that closes it
  if (!closed || rows < least || std::min(first.size(), last.size()) < kShortest) return kNoTable;
  return std::min(document.find('\n', static_cast<size_t>(last.data() - document.data())), document.size());
}

}  // namespace ventris::markup
