#include "documents/word_places.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <vector>

#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

/// A run of letters and digits, or any other character.
struct WordPart {
  size_t begin = 0, end = 0;
  UChar32 sign = 0;  // 0: letters or digits; quotation marks are all the same
};

std::vector<WordPart> parts_of(std::string_view word) {
  std::vector<WordPart> parts;
  for (size_t at = 0; at < word.size();) {
    const size_t begin = at;
    const UChar32 character = markup::next_character(word, at);
    const bool letter = character >= 0 && (u_isalnum(character) != 0 || (U_GET_GC_MASK(character) & U_GC_M_MASK) != 0);
    const UChar32 sign = letter ? 0 : u_hasBinaryProperty(character, UCHAR_QUOTATION_MARK) != 0 ? '"' : character;
    if (letter && !parts.empty() && parts.back().sign == 0) {
      parts.back().end = at;
    } else {
      parts.push_back({begin, at, sign});
    }
  }
  return parts;
}

}  // namespace

std::optional<size_t> place_in_word(std::string_view source, size_t at, std::string_view target) {
  constexpr size_t kLongest = 200;  // so that many marks in a text without spaces take linear time
  if (source.size() > kLongest || target.size() > kLongest) return std::nullopt;
  const std::vector<WordPart> parts = parts_of(source), others = parts_of(target);
  const auto same = [](const WordPart& a, const WordPart& b) { return a.sign == b.sign; };
  const auto is_sign = [](const WordPart& part) { return part.sign != 0; };
  const auto next = std::ranges::find(parts, at, &WordPart::begin);
  if (next == parts.begin() || next == parts.end() || others.empty()) return std::nullopt;
  const auto before = static_cast<size_t>(next - parts.begin()), behind = parts.size() - before;
  if (std::ranges::equal(parts, others, same)) return others[before].begin;
  const bool has_begin = std::all_of(parts.begin(), next, is_sign) && others.size() > before &&
                         std::equal(parts.begin(), next, others.begin(), same);
  if (has_begin) return others[before].begin;
  const bool has_end = std::all_of(next, parts.end(), is_sign) && others.size() > behind &&
                       std::equal(next, parts.end(), others.end() - static_cast<std::ptrdiff_t>(behind), same);
  return has_end ? std::optional(others[others.size() - behind].begin) : std::nullopt;
}

}  // namespace ventris::documents
