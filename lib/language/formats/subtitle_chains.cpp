#include "formats/subtitle_chains.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "markup/addresses.h"
#include "markup/characters.h"
#include "markup/text_cursor.h"

namespace ventris::formats {
namespace {

constexpr double kLongestPause = 3;  // seconds between two subtitles of a sentence
constexpr size_t kShortestWord = 5;  // letters of a word that is certainly no abbreviation
constexpr size_t kFewLetters = 4;    // in capitals, they may be a word such as "I" or "USA"

/// "[door opens]", "(sighs)", "[door opens] (sighs)"
bool is_description(std::string_view text) {
  if (text.empty()) return false;
  while (!text.empty()) {
    if (text.front() != '[' && text.front() != '(') return false;
    const size_t end = text.find(text.front() == '[' ? ']' : ')');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(std::min(text.find_first_not_of(kSpaces, end + 1), text.size()));
  }
  return true;
}

/// "[MAN] Hello", "(sighs) Hello", not "[MAN] and goes on"
bool has_description_before_sentence(std::string_view text) {
  if (!text.starts_with('[') && !text.starts_with('(')) return false;
  const size_t end = text.find(text.front() == '[' ? ']' : ')');
  if (end == std::string_view::npos) return false;
  const size_t first = std::min(text.find_first_not_of(kSpaces, end + 1), text.size());
  return first < text.size() && u_isupper(markup::character_at(text, first)) != 0;
}

/// "TOM: Hello"
bool has_speaker(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon < 2 || !text.substr(colon + 1).starts_with(' ')) return false;
  for (size_t at = 0; at < colon;) {
    const UChar32 c = markup::next_character(text, at);
    if (u_islower(c) != 0 || (u_isalnum(c) == 0 && c != ' ' && c != '.' && c != '#')) return false;
  }
  return true;
}

/// Whether nothing but addresses has letters, as in advertisements.
bool is_address(std::string_view text) {
  std::string rest;
  size_t done = 0;
  for (const ByteRange& address : markup::find_addresses(text)) {
    rest.append(text, done, address.begin - done);
    done = address.end;
  }
  return done > 0 && !markup::has_letters(rest.append(text, done));
}

/// Many letters, all of them in capitals, as in titles.
bool is_in_capitals(std::string_view text) {
  size_t capitals = 0;
  for (size_t at = 0; at < text.size();) {
    const UChar32 c = markup::next_character(text, at);
    if (u_islower(c) != 0) return false;
    if (u_isupper(c) != 0) ++capitals;
  }
  return capitals > kFewLetters;
}

bool has_small_letters(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    if (u_islower(markup::next_character(text, at)) != 0) return true;
  }
  return false;
}

bool is_closing(UChar32 c) {
  const auto type = u_charType(c);
  return c == '"' || c == '\'' || type == U_FINAL_PUNCTUATION || type == U_END_PUNCTUATION;
}

/// The first letter, behind opening quotation marks and dots. A description of a sound is no part of the sentence.
bool begins_small(std::string_view text) {
  if (text.starts_with('[') || text.starts_with('(')) return false;
  for (size_t at = 0; at < text.size();) {
    const UChar32 c = markup::next_character(text, at);
    if (u_isalnum(c) != 0) return u_islower(c) != 0;
  }
  return false;
}

/// How many letters the word has that ends here.
size_t letters_before(std::string_view text, size_t at) {
  size_t letters = 0;
  while (at > 0 && letters < kShortestWord && u_isalpha(markup::previous_character(text, at)) != 0) ++letters;
  return letters;
}

/// Without a description at the end that follows a whole sentence: "They sleep. [laughs]"
std::string_view without_description(std::string_view text) {
  if (!text.ends_with(']') && !text.ends_with(')')) return text;
  const size_t begin = text.find_last_of("[(.!?");
  if (begin == std::string_view::npos || text[begin] != (text.ends_with(']') ? '[' : '(')) return text;
  const std::string_view before = text.substr(0, text.find_last_not_of(' ', begin == 0 ? 0 : begin - 1) + 1);
  const bool ended = before.ends_with('.') || before.ends_with('!') || before.ends_with('?');
  return ended && before.size() < begin ? before : text;
}

/// Whether the sentence has ended, whatever is an abbreviation.
bool has_ended(std::string_view text, std::string_view next) {
  size_t at = text.size();
  UChar32 last = -1;
  while (at > 0 && (last < 0 || is_closing(last))) last = markup::previous_character(text, at);
  if (last < 0 || u_hasBinaryProperty(last, UCHAR_S_TERM) == 0) return last == 0x2026 && !begins_small(next);
  if (begins_small(next)) return false;
  return last != '.' || letters_before(text, at) >= kShortestWord || text.substr(0, at).ends_with("..");
}

}  // namespace

bool may_go_on(const CueLine& line, const CueLine& next, const std::vector<Cue>& cues) {
  if (line.ends || next.begins || next.voice != line.voice) return false;
  if (next.cue > line.cue + 1) return false;
  if (next.cue != line.cue && cues[next.cue].begin - cues[line.cue].end > kLongestPause) return false;
  const std::string_view text = line.text.text, following = next.text.text;
  if (is_address(text) || is_address(following)) return false;
  if (is_description(text) || is_description(following) || has_speaker(following)) return false;
  if (has_description_before_sentence(following)) return false;
  if (is_in_capitals(text) && has_small_letters(following)) return false;
  if (is_in_capitals(following) && has_small_letters(text)) return false;
  return !has_ended(without_description(text), following);
}

}  // namespace ventris::formats
