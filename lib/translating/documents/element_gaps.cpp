#include "documents/element_gaps.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "markup/characters.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::Mark;

/// Whether the element cannot be seen, only heard.
bool is_hidden(std::string_view tag) {
  constexpr std::array<std::string_view, 4> kSigns{"visually-hidden", "sr-only", "screen-reader-text", "display:none"};
  return std::ranges::any_of(kSigns, [&](std::string_view sign) { return tag.find(sign) != std::string_view::npos; });
}

/// The name of the element of HTML, or of a message of React ("<1>"), whose tag the mark is; empty for other marks,
/// such as those of office documents ("<f2>", "</f>") and of Markdown. Changes of CriticMarkup are named as in HTML.
std::string_view element_of(std::string_view raw) {
  if (raw == "{--" || raw == "--}") return "del";
  if (raw == "{++" || raw == "++}") return "ins";
  if (!raw.starts_with('<')) return {};
  const size_t begin = raw.starts_with("</") ? 2 : 1;
  const std::string_view name = raw.substr(begin, std::min(raw.find_first_of(" \t\n/>", begin), raw.size()) - begin);
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool known = std::ranges::all_of(name, markup::is_letter) || std::ranges::all_of(name, is_digit);
  return known && name != "f" ? name : std::string_view();
}

bool is_one_of(std::string_view name, const std::array<std::string_view, 4>& names) {
  return std::ranges::find(names, name) != names.end();
}

/// Whether what touches here, at these marks, is apart for a reader.
bool is_gap(UChar32 before, UChar32 next, const Mark* first, const Mark* last) {
  bool opens = false, closes = false, follows = false, label = false, span = false, revised = false;
  bool ends_link = false;  // of Markdown, in a message
  for (const Mark* mark = first; mark != last; ++mark) {
    if (ends_link && mark->raw.ends_with('[')) return true;
    ends_link = mark->never_empty && mark->raw.starts_with("](");
    if (ends_link) continue;
    const std::string_view name = element_of(mark->raw);
    if (name.empty() || name == "ruby" || name == "wbr") return false;
    if (name == "sub" || name == "sup") return mark->kind == Mark::Kind::kOpen && u_isalpha(next) != 0;
    const bool icon =
        (mark->kind == Mark::Kind::kAlone && mark->pair == 0) || (mark->kind == Mark::Kind::kClose && opens);
    opens = opens || mark->kind == Mark::Kind::kOpen;
    if (icon || (mark->kind == Mark::Kind::kOpen && is_hidden(mark->raw))) return true;
    follows = follows || (closes && mark->kind == Mark::Kind::kOpen);
    closes = closes || mark->kind == Mark::Kind::kClose;
    revised = revised || is_one_of(name, {"del", "ins", "strike", "s"});
    label = label || is_one_of(name, {"span", "small", "a", "label"});
    span = span || (mark->kind == Mark::Kind::kOpen && mark->raw.starts_with("<span "));
    label = label || (mark->kind == Mark::Kind::kOpen && mark->raw.find(' ') != std::string::npos);
  }
  const bool digit_before = u_isdigit(before) != 0, digit_next = u_isdigit(next) != 0;
  if ((digit_before && digit_next) || (follows && revised)) return true;
  if (digit_before || digit_next) return label || follows;
  return (follows || span) && u_islower(before) != 0 && u_isupper(next) != 0;
}

}  // namespace

std::vector<size_t> element_gaps(std::string_view text, const std::vector<Mark>& marks) {
  std::vector<size_t> gaps;
  for (size_t i = 0; i < marks.size();) {
    const size_t at = marks[i].at, first = i;
    while (i < marks.size() && marks[i].at == at) ++i;
    if (at == 0 || at >= text.size()) continue;
    const UChar32 before = markup::character_before(text, at), next = markup::character_at(text, at);
    const bool touch = before >= 0 && next >= 0 && u_isalnum(before) != 0 && u_isalnum(next) != 0;
    if (touch && is_gap(before, next, marks.data() + first, marks.data() + i)) gaps.push_back(at);
  }
  return gaps;
}

}  // namespace ventris::documents
