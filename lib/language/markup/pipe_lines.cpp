#include "markup/pipe_lines.h"

#include <algorithm>

#include "markup/characters.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kBlanksInRow = " \t\r";

/// Whether a line without spaces around it is a row, with pipes at both ends.
bool is_row(std::string_view line) { return line.size() > 2 && line.starts_with('|') && line.ends_with('|'); }

bool is_verse(std::string_view line) {
  return line == "|" || (line.starts_with("| ") && line.find('|', 1) == std::string_view::npos);
}

}  // namespace

PipeLines pipe_lines_at(std::string_view document, size_t place) {
  constexpr int kMostLines = 1000;
  if (place >= document.size() || document[place] != '|') return PipeLines::kNone;
  bool rows = true, verses = true;
  for (int i = 0; i < kMostLines && place < document.size(); ++i) {
    const size_t end = std::min(document.find('\n', place), document.size());
    const size_t begin = std::min(place + run_of(document, place, " \t>"), end);
    const std::string_view line = document.substr(begin, end - begin);
    const std::string_view text = line.substr(0, line.find_last_not_of(kBlanksInRow) + 1);
    if (text.empty()) break;
    const bool goes_on = i > 0 && begin > place && !text.starts_with('|');  // the line before
    rows = rows && is_row(text);
    verses = verses && (goes_on || is_verse(text));
    place = end + 1;
  }
  return rows ? PipeLines::kCells : verses ? PipeLines::kVerse : PipeLines::kNone;
}

}  // namespace ventris::markup
