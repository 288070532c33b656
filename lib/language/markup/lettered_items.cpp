#include "markup/lettered_items.h"

#include <algorithm>
#include <array>

#include "markup/characters.h"
#include "markup/delimiter_rows.h"
#include "markup/known_blocks.h"

namespace ventris::markup {
namespace {

constexpr std::array<std::string_view, 20> kRoman{"i",    "ii",  "iii",  "iv",    "v",   "vi",   "vii",
                                                  "viii", "ix",  "x",    "xi",    "xii", "xiii", "xiv",
                                                  "xv",   "xvi", "xvii", "xviii", "xix", "xx"};

/// "a" of "a. one" and "a) one", "ii" of "ii. one"; empty if the line is something else.
std::string_view marker_of(std::string_view line) {
  size_t end = 0;
  while (end < line.size() && line[end] >= 'a' && line[end] <= 'z') ++end;
  const std::string_view marker = line.substr(0, end), rest = line.substr(end);
  const bool item = (rest.starts_with(". ") || rest.starts_with(") ")) && rest.size() > 2;
  const bool known = end == 1 || std::ranges::find(kRoman, marker) != kRoman.end();
  return item && known ? marker : std::string_view();
}

/// The marker behind this one; empty if there is none.
std::string marker_behind(std::string_view marker, bool roman) {
  if (!roman) return marker == "z" ? "" : std::string(1, static_cast<char>(marker.front() + 1));
  const auto* const place = std::ranges::find(kRoman, marker);
  return place == kRoman.end() || place + 1 == kRoman.end() ? "" : std::string(*(place + 1));
}

/// Whether the item with this marker is below the line that ends here, in this column, and nothing between them is
/// indented less.
bool has_item_below(std::string_view document, size_t end, size_t column, std::string_view marker) {
  constexpr int kMostLines = 30;
  for (int lines = 0; lines < kMostLines && end < document.size(); ++lines) {
    const size_t begin = end + 1;
    end = std::min(document.find('\n', begin), document.size());
    const std::string_view line = document.substr(begin, std::max(end, begin) - begin), text = without_container(line);
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const size_t place = line.size() - text.size();
    if (place == column && marker_of(text) == marker) return true;
    if (place <= column) return false;
  }
  return false;
}

}  // namespace

size_t LetteredItems::take(std::string_view document, size_t line, text::ByteRange text) {
  const std::string_view shown = document.substr(text.begin, text.end - text.begin);
  if (shown.find_first_not_of(" \t\r") == std::string_view::npos) {
    may_begin_ = true;
    return 0;
  }
  const bool may_begin = may_begin_;
  const size_t column = text.begin - line;
  const std::string_view marker = marker_of(shown);
  may_begin_ = !marker.empty() || document.substr(line, column).find_first_not_of(" \t>") != std::string_view::npos;
  while (!open_.empty() && open_.back().column > column) open_.pop_back();
  if (!open_.empty() && open_.back().column == column) {
    List& list = open_.back();
    if (!marker.empty() && marker == list.next) {
      list.next = marker_behind(marker, list.roman);
      return marker.size();
    }
    open_.pop_back();
  }
  const bool roman = marker == "i";
  if (!may_begin || (marker != "a" && !roman)) return 0;
  const std::string next = marker_behind(marker, roman);
  if (!has_item_below(document, text.end, column, next)) return 0;
  open_.push_back({column, next, roman});
  return marker.size();
}

}  // namespace ventris::markup
