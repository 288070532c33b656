#include "office/symbols.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <set>

#include "markup/text_cursor.h"

namespace ventris::office {
namespace {

/// The end of the word, sign ("<i5>") or space that begins at this byte.
size_t end_of_part(std::string_view text, size_t at) {
  if (text[at] == ' ') return at + 1;
  if (text[at] == '<') return std::min(text.find('>', at), text.size() - 1) + 1;
  return std::min(text.find_first_of(" <", at), text.size());
}

bool is_letter_or_digit(UChar32 character) { return character >= 0 && u_isalnum(character) != 0; }

/// Whether the hyphen at this byte is inside of a word.
bool is_inner(std::string_view word, size_t at, size_t size) {
  size_t before = at;
  return at > 0 && is_letter_or_digit(markup::previous_character(word, before)) &&
         is_letter_or_digit(markup::character_at(word, at + size));
}

/// The word without the punctuation around it.
std::string_view core_of(std::string_view word) {
  while (!word.empty()) {
    size_t after = 0, last = word.size();
    if (!is_letter_or_digit(markup::next_character(word, after))) {
      word.remove_prefix(after);
    } else if (!is_letter_or_digit(markup::previous_character(word, last))) {
      word = word.substr(0, last);
    } else {
      break;
    }
  }
  return word;
}

/// The hyphens of a source.
struct Hyphens {
  std::set<std::string, std::less<>> words;  // that have one without a break, with usual hyphens
  bool usual = false;          // one inside of a word is of the usual kind
};

Hyphens hyphens_of(std::string_view source) {
  Hyphens found;
  for (size_t at = 0; at < source.size();) {
    const size_t end = end_of_part(source, at);
    const std::string_view word = source.substr(at, end - at);
    if (word.find(kNoBreakHyphen) != std::string_view::npos) found.words.insert(with_usual_hyphens(core_of(word)));
    for (size_t i = word.find('-'); i < word.size(); i = word.find('-', i + 1)) {
      found.usual = found.usual || is_inner(word, i, 1);
    }
    at = end;
  }
  return found;
}

std::string word_with_no_break_hyphens(std::string_view word) {
  std::string changed;
  for (size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '-' && is_inner(word, i, 1)) {
      changed += kNoBreakHyphen;
    } else {
      changed += word[i];
    }
  }
  return changed;
}

}  // namespace

bool is_symbols(std::string_view text) {
  bool any = false;
  for (size_t at = 0; at < text.size();) {
    const UChar32 character = markup::next_character(text, at);
    if (character == ' ' || character == '\n' || character == '\t') continue;
    if (character < 0 || u_charType(character) != U_PRIVATE_USE_CHAR) return false;
    any = true;
  }
  return any;
}

std::string with_usual_hyphens(std::string_view text) {
  std::string usual(text);
  for (size_t at = usual.find(kNoBreakHyphen); at != std::string::npos; at = usual.find(kNoBreakHyphen, at)) {
    usual.replace(at, kNoBreakHyphen.size(), "-");
  }
  return usual;
}

std::string with_no_break_hyphens(std::string_view translation, std::string_view source) {
  const Hyphens hyphens = hyphens_of(source);
  if (hyphens.words.empty()) return std::string(translation);
  std::string changed;
  for (size_t at = 0; at < translation.size();) {
    const size_t end = end_of_part(translation, at);
    const std::string_view part = translation.substr(at, end - at);
    const bool change = part[0] != '<' && (!hyphens.usual || hyphens.words.contains(core_of(part)));
    changed += change ? word_with_no_break_hyphens(part) : std::string(part);
    at = end;
  }
  return changed;
}

}  // namespace ventris::office
