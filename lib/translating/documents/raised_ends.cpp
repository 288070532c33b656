#include "documents/raised_ends.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/ascii.h"
#include "markup/block_builder.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::Mark;

/// Whether the two marks are the tags of an element of this name.
bool are_tags_of(std::string_view name, const Mark& open, const Mark& close) {
  const std::string start = "<" + std::string(name);
  return open.kind == Mark::Kind::kOpen && close.kind == Mark::Kind::kClose &&
         (open.raw == start + ">" || open.raw.starts_with(start + " "));
}

/// Whether the pair is around the first letter of a word, alone or behind a quotation mark, as a large initial at the
/// beginning of a chapter is.
bool is_initial(std::string_view text, const Mark& open, const Mark& close) {
  constexpr std::array<std::string_view, 5> kNames{"drop", "initial", "lettrine", "firstletter", "first-letter"};
  const std::string raw = core::in_lower_case(open.raw);
  const auto is_named = [&](std::string_view name) { return raw.find(name) != std::string::npos; };
  if (open.kind != Mark::Kind::kOpen || close.kind != Mark::Kind::kClose) return false;
  if (std::ranges::none_of(kNames, is_named) && !raw.starts_with("<big")) return false;
  size_t at = open.at, letters = 0;
  while (at < close.at) letters += u_isalpha(markup::next_character(text, at)) != 0 ? 1 : 0;
  const auto is_letter = [](UChar32 c) { return c > 0 && u_isalpha(c) != 0; };
  return letters == 1 && is_letter(markup::character_at(text, close.at)) &&
         !is_letter(markup::character_before(text, open.at));
}

}  // namespace

std::vector<size_t> raised_ends(std::string_view text, const std::vector<Mark>& marks) {
  std::vector<size_t> found;
  for (size_t i = 0; i + 1 < marks.size(); ++i) {
    const Mark &open = marks[i], &close = marks[i + 1];
    const bool apart = i > 0 && marks[i - 1].at == open.at && marks[i - 1].kind == Mark::Kind::kClose;
    if (apart) continue;  // "<a>Prices</a><sup>New</sup>"
    const bool raised = are_tags_of("sup", open, close) || are_tags_of("sub", open, close);
    const bool ends = raised && markup::ends_word(text.substr(0, open.at), text.substr(open.at, close.at - open.at));
    if (!ends && !is_initial(text, open, close)) continue;
    found.push_back(i);
    found.push_back(++i);
  }
  return found;
}

}  // namespace ventris::documents
