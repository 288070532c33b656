#include "markup/markdown_labels.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "markup/characters.h"
#include "markup/delimiter_rows.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

/// The sign of the only span of the block so far: "**" of "**Note**", "[" of a link. Otherwise nothing.
std::string_view sign_of_title(std::string_view document, const std::vector<Part>& parts) {
  constexpr size_t kMostParts = 20;
  int64_t depth = 0;
  for (size_t i = parts.size(); i-- > 0 && parts.size() - i < kMostParts;) {
    const Part& part = parts[i];
    if (part.kind != Part::Kind::kMark || part.mark == Mark::Kind::kAlone) {
      if (depth == 0 || part.kind == Part::Kind::kKept) return {};
      continue;
    }
    depth += part.mark == Mark::Kind::kClose ? 1 : -1;
    if (depth < 0) return {};
    if (depth > 0) continue;
    if (i > 0 && parts[i - 1].kind != Part::Kind::kKept) return {};
    return document.substr(part.range.begin, part.range.end - part.range.begin);
  }
  return {};
}

bool is_strong(std::string_view sign) { return sign == "**" || sign == "__"; }

}  // namespace

size_t size_of_label(std::string_view text) {
  if (!text.starts_with("[!")) return 0;
  size_t end = 2;
  while (end < text.size() && is_alnum_byte(text[end])) ++end;
  if (end == 2 || end == text.size() || text[end] != ']') return 0;
  ++end;
  return end + (end < text.size() && (text[end] == '+' || text[end] == '-') ? 1 : 0);
}

bool ends_title(std::string_view document, const std::vector<Part>& parts, size_t next) {
  return u_isupper(character_at(document, next)) != 0 && is_strong(sign_of_title(document, parts));
}

size_t size_of_separator(std::string_view document, const std::vector<Part>& parts, std::string_view text) {
  if (parts.empty() || parts.back().mark != Mark::Kind::kClose || text.size() < 2) return 0;
  const bool colon = text.starts_with(": ");
  const bool dash = text.starts_with(" - ") || text.starts_with(" \u2013 ") || text.starts_with(" \u2014 ");
  if (!colon && !dash) return 0;
  const std::string_view sign = sign_of_title(document, parts);
  return is_strong(sign) || sign == "[" ? (colon ? 2 : text.find(' ', 1) + 1) : 0;
}

size_t size_of_task(std::string_view before, std::string_view text) {
  constexpr size_t kSize = 4;
  before.remove_prefix(std::min(before.find_first_not_of(" \t>"), before.size()));
  const bool item = !before.empty() && size_of_list_marker(before) == before.size();
  const bool mark = text.size() > kSize && text[0] == '[' && text[2] == ']' && text[3] == ' ' &&
                    !is_alnum_byte(text[1]) && text[1] != ' ';
  return item && mark ? kSize : 0;
}

}  // namespace ventris::markup
