#include "markup/markdown_tables.h"

#include <algorithm>

namespace ventris::markup {
namespace {

constexpr size_t kLeastHyphens = 3;

size_t behind(std::string_view text, size_t at, std::string_view characters) {
  return std::min(text.find_first_not_of(characters, at), text.size());
}

/// The hyphens of each cell of a delimiter row; none if the line is no such row.
std::vector<ByteRange> cells_of(std::string_view line) {
  constexpr std::string_view kSpaces = " \t\r";
  std::vector<ByteRange> cells;
  size_t at = behind(line, 0, " \t>");  // the row can be in a list or quotation
  if (line.substr(at).starts_with("- ") || line.substr(at).starts_with("-\t")) return {};  // an item of a list
  bool pipe = line.substr(at).starts_with('|');
  if (pipe) at = behind(line, at + 1, kSpaces);
  while (at < line.size()) {
    if (line[at] == ':') ++at;
    const size_t end = behind(line, at, "-");
    if (end == at) return {};
    cells.push_back({at, end});
    at = behind(line, end + (line.substr(end).starts_with(':') ? 1 : 0), kSpaces);
    if (at == line.size()) break;
    if (line[at] != '|') return {};
    pipe = true;
    at = behind(line, at + 1, kSpaces);
  }
  return pipe ? cells : std::vector<ByteRange>();
}

}  // namespace

WidenedTables::WidenedTables(std::string_view document) : document_(document) {
  for (size_t begin = 0; begin < document.size();) {
    const size_t end = std::min(document.find('\n', begin), document.size());
    add_line({begin, end});
    begin = end + 1;
  }
  if (changed()) text_.append(document_, done_);
}

void WidenedTables::add_line(ByteRange line) {
  for (const ByteRange& cell : cells_of(document_.substr(line.begin, line.end - line.begin))) {
    if (cell.end - cell.begin >= kLeastHyphens) continue;
    const size_t count = kLeastHyphens - (cell.end - cell.begin);
    text_.append(document_, done_, line.begin + cell.end - done_);
    done_ = line.begin + cell.end;
    added_.push_back({text_.size(), count, (changed() ? added_.back().sum : 0) + count});
    text_.append(count, '-');
  }
}

size_t WidenedTables::place(size_t at) const {
  const auto next = std::ranges::upper_bound(added_, at, {}, &Added::at);
  if (next == added_.begin()) return at;
  const Added& last = *std::prev(next);
  return at - (last.sum - last.count) - std::min(at - last.at, last.count);
}

}  // namespace ventris::markup
