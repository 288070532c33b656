#include "formats/letter_entities.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "markup/addresses.h"
#include "markup/characters.h"
#include "markup/html.h"
#include "markup/text_cursor.h"

namespace ventris::formats {
namespace {

using markup::character_at;

bool is_part_of_word(UChar32 c) {
  constexpr UChar32 kApostrophe = 0x2019, kModifier = 0x02BC;
  return c == '\'' || c == kApostrophe || c == kModifier ||
         (c > 0 && (u_isalpha(c) != 0 || u_hasBinaryProperty(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0));
}

/// The entity that begins here, whose character is a part of a word; empty if there is none.
std::string_view entity_of_word_at(std::string_view text, size_t at) {
  const std::string_view entity = markup::entity_at(text, at);
  const std::string character = markup::decode_entities(entity);
  size_t size = 0;
  const bool one = !character.empty() && is_part_of_word(markup::next_character(character, size));
  return one && size == character.size() ? entity : std::string_view();
}

/// The tags, addresses and code in a text, in which entities stay: "<a title='don&#39;t'>".
std::vector<ByteRange> code_of(std::string_view text) {
  constexpr size_t kLongest = 1000;
  std::vector<ByteRange> code = markup::find_addresses(text);
  for (size_t at = text.find_first_of("<`"); at < text.size(); at = text.find_first_of("<`", at + 1)) {
    const std::string_view rest = text.substr(at, kLongest);
    const bool tag = rest.size() > 2 && rest[0] == '<' && (markup::is_letter(rest[1]) || rest[1] == '/');
    if (rest[0] == '<' && !tag) continue;
    const size_t end = tag ? rest.find_first_of("<>", 1) : rest.find_first_of("`\n", 1);
    if (end == std::string_view::npos || rest[end] == '<' || rest[end] == '\n') continue;
    code.push_back({at, at + end + 1});
    at += end;
  }
  std::ranges::sort(code, {}, &ByteRange::begin);
  return code;
}

bool is_letter(UChar32 c) { return c > 0 && u_isalpha(c) != 0; }

}  // namespace

std::string with_letters(std::string_view text, std::vector<ByteRange>& places) {
  if (text.find('&') == std::string_view::npos) return std::string(text);
  const std::vector<ByteRange> code = code_of(text);
  auto next_code = code.begin();
  std::string result;
  size_t place = 0;
  bool after_letter = false;
  for (size_t at = 0; at < text.size();) {
    if (place < places.size() && places[place].begin == at) {
      const size_t end = places[place].end;
      places[place].begin = result.size();
      result += text.substr(at, end - at);
      places[place++].end = result.size();
      after_letter = false;
      at = end;
      continue;
    }
    while (next_code != code.end() && next_code->end <= at) ++next_code;
    const bool in_code = next_code != code.end() && next_code->begin <= at;
    const std::string_view entity = text[at] == '&' && !in_code ? entity_of_word_at(text, at) : std::string_view();
    const size_t behind = at + entity.size();
    // "l'{name}" would begin a quotation in a pattern of ICU.
    const bool word = !entity.empty() && (after_letter || is_letter(character_at(text, behind))) &&
                      !text.substr(behind).starts_with('{');
    const size_t done = word ? behind : markup::after_character(text, at);
    const std::string character = word ? markup::decode_entities(entity) : std::string(text.substr(at, done - at));
    result += character;
    after_letter = is_letter(character_at(character, 0)) || (word && after_letter);
    at = done;
  }
  return result;
}

}  // namespace ventris::formats
