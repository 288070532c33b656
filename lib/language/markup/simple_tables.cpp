#include "markup/simple_tables.h"

#include <algorithm>

#include "markup/characters.h"
#include "markup/each_line.h"

namespace ventris::markup {
namespace {

constexpr size_t kNoTable = std::string_view::npos;

/// How many runs of hyphens a line has; 0 if it has anything else.
size_t columns_in(std::string_view line) {
  constexpr size_t kShortest = 3;
  if (line.find_first_not_of("- ") != kNoTable) return 0;
  size_t runs = 0;
  for (size_t at = line.find('-'); at != kNoTable; at = line.find('-', at)) {
    const size_t size = run_of(line, at, "-");
    if (size < kShortest) return 0;
    at += size;
    ++runs;
  }
  return runs;
}

/// Whether a line has text, and spaces wherever the line of columns has some between its hyphens.
bool has_columns(std::string_view line, std::string_view columns) {
  const size_t size = std::min(line.size(), columns.size());
  for (size_t at = std::min(columns.substr(0, size).find('-'), size); at < size; ++at) {
    if (columns[at] == ' ' && line[at] != ' ') return false;
  }
  return !line.empty();
}

/// The last line of the table whose rows begin here, below a line of columns, with `last` runs of hyphens, which an
/// empty line or the end follows; empty if there is none. Empty lines may divide the rows.
std::string_view last_line(std::string_view rest, std::string_view columns, size_t last) {
  size_t rows = 0;
  while (!rest.empty()) {
    const std::string_view row = take_line(rest);
    if (const size_t runs = columns_in(row); runs > 0) {
      const bool ends = runs == last && rows > 0 && take_line(rest).empty();
      return ends ? row : std::string_view();
    }
    if (!row.empty() && !has_columns(row, columns)) return {};
    rows += row.empty() ? 0 : 1;
  }
  return {};
}

/// The last line of rows that end before an empty line; empty if there are none.
std::string_view last_row(std::string_view rest, std::string_view columns) {
  std::string_view last;
  for (std::string_view row = take_line(rest); !row.empty(); row = take_line(rest)) {
    if (!has_columns(row, columns)) return {};
    last = row;
  }
  return last;
}

/// The last line of the table that begins here; empty if there is none.
std::string_view last_of_table(std::string_view rest) {
  constexpr int kMostOfHead = 20;
  const std::string_view first = take_line(rest);
  const size_t runs = columns_in(first);
  if (runs > 1) return last_line(rest, first, runs);
  std::string_view columns = take_line(rest);
  if (runs == 0) {
    return columns_in(columns) > 1 && has_columns(first, columns) ? last_row(rest, columns) : std::string_view();
  }
  const std::string_view head = columns;
  for (int lines = 1; lines < kMostOfHead && !columns.empty() && columns_in(columns) == 0; ++lines) {
    columns = take_line(rest);
  }
  return columns_in(columns) > 1 && has_columns(head, columns) ? last_line(rest, columns, 1) : std::string_view();
}

}  // namespace

size_t end_of_simple_table(std::string_view document, size_t line) {
  constexpr size_t kShortest = 3;
  std::string_view rest = document.substr(line);
  const std::string_view last = last_of_table(rest);
  if (last.size() < kShortest || take_line(rest).size() < kShortest) return kNoTable;
  return std::min(document.find('\n', static_cast<size_t>(last.data() - document.data())), document.size());
}

}  // namespace ventris::markup
