#include "formats/icu_pattern.h"

#include <algorithm>
#include <utility>

#include "markup/characters.h"

namespace ventris::formats {
namespace {

constexpr std::string_view kWhite = " \t\r\n";

size_t behind_white(std::string_view text, size_t at, size_t end) {
  return std::min(text.find_first_not_of(kWhite, at), end);
}

/// Behind the next comma that is not in braces.
std::optional<size_t> behind_comma(std::string_view text, size_t at) {
  const size_t comma = text.find_first_of(",{}", at);
  return comma < text.size() && text[comma] == ',' ? std::optional(comma + 1) : std::nullopt;
}

}  // namespace

ByteRange without_white_ends(std::string_view text, ByteRange range) { return without_ends(text, range, kWhite); }

bool begins_quote(std::string_view text, size_t at) {
  return at + 1 < text.size() && kQuotable.find(text[at + 1]) != std::string_view::npos;
}

size_t end_of_quoted(std::string_view text, size_t at) {
  if (!begins_quote(text, at)) return at;
  for (size_t end = text.find('\'', at + 1); end != std::string_view::npos; end = text.find('\'', end + 2)) {
    if (!text.substr(end + 1).starts_with('\'')) return end + 1;
  }
  return text.size();
}

bool is_in_tag(std::string_view text, size_t at) {
  const size_t begin = text.substr(0, at).find_last_of("<>");
  return begin != std::string_view::npos && text[begin] == '<' &&
         (text[begin + 1] == '/' || markup::has_letters(text.substr(begin + 1, 1)));
}

bool has_icu_words(std::string_view around) {
  return markup::has_letters(around) || around.find_first_of("{#") != std::string_view::npos;
}

size_t next_unquoted(std::string_view text, size_t at, std::string_view signs) {
  while (at < text.size() && signs.find(text[at]) == std::string_view::npos) {
    const size_t behind = text[at] == '\'' ? end_of_quoted(text, at) : at;
    if (behind > at) {
      at = behind;
    } else {
      at += text.substr(at).starts_with("''") ? 2 : 1;
    }
  }
  return std::min(at, text.size());
}

size_t end_of_icu_braces(std::string_view text, size_t at) {
  size_t depth = 0;
  for (at = next_unquoted(text, at, "{}"); at < text.size(); at = next_unquoted(text, at + 1, "{}")) {
    depth += text[at] == '{' ? 1 : 0;
    if (text[at] == '}' && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

std::optional<IcuHeader> icu_header(std::string_view text, size_t brace) {
  const std::optional<size_t> name = behind_comma(text, brace + 1);
  const std::optional<size_t> type = name ? behind_comma(text, *name) : std::nullopt;
  if (!type) return std::nullopt;
  const std::string_view word = part_of(text, without_white_ends(text, {*name, *type - 1}));
  IcuHeader header{without_white_ends(text, {brace + 1, *name - 1}), *type, IcuHeader::Kind::kSelect};
  if (word == "choice") header.kind = IcuHeader::Kind::kChoice;
  if (word == "plural" || word == "selectordinal") header.kind = IcuHeader::Kind::kPlural;
  return word == "select" || header.kind != IcuHeader::Kind::kSelect ? std::optional(header) : std::nullopt;
}

std::optional<IcuPattern> icu_pattern(std::string_view text, size_t brace) {
  const std::optional<IcuHeader> header = icu_header(text, brace);
  if (header && header->kind == IcuHeader::Kind::kChoice) return std::nullopt;
  const size_t end = header ? end_of_icu_braces(text, brace) : std::string_view::npos;
  if (end == std::string_view::npos || end <= header->end) return std::nullopt;
  IcuPattern pattern{{brace, end}, header->name, header->kind == IcuHeader::Kind::kPlural, false, {}};
  for (size_t at = behind_white(text, header->end, end - 1); at < end - 1; at = behind_white(text, at, end - 1)) {
    const size_t open = text.find('{', at);
    const std::string_view selector = part_of(text, without_white_ends(text, {at, std::min(open, end - 1)}));
    const size_t close = open < end - 1 ? end_of_icu_braces(text, open) : std::string_view::npos;
    const bool offset = selector.starts_with("offset:");
    const bool spaces = selector.find_first_of(kWhite) != std::string_view::npos;
    if (selector.empty() || close >= end || (spaces && !offset) || selector.find('}') != std::string_view::npos)
      return std::nullopt;
    pattern.offset = pattern.offset || offset;
    pattern.forms.push_back({open + 1, close - 1});
    at = close;
  }
  if (pattern.forms.empty()) return std::nullopt;
  return pattern;
}

}  // namespace ventris::formats
