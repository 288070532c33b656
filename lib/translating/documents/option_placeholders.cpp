#include "documents/option_placeholders.h"

#include <algorithm>

#include "documents/sign_matcher.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::end_of_run;
using markup::is_word_character;

bool is_of_name(UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '-'); }

bool is_of_value(UChar32 c) { return c > ' ' && c < 0x80 && !is_sign_of(static_cast<char>(c), "\"'`,;()[]{}|"); }

/// Whether a word may begin here: behind white space, a quotation mark, a bracket that touches no word, or a bar.
bool may_begin(std::string_view text, size_t at) {
  const bool inside_word = at > 1 && text[at - 1] == '(' && is_word_character(markup::character_before(text, at - 1));
  if (inside_word) return false;
  return at == 0 || is_sign_of(text[at - 1], " \t\n\"'`([{|,") || text.substr(0, at).ends_with("\u201c") ||
         text.substr(0, at).ends_with("\u2018") || text.substr(0, at).ends_with("\u00ab") ||
         text.substr(0, at).ends_with("\u201e");
}

/// Whether the capital behind the hyphen begins a text of a speaker, or a point of a list: "-I am here".
bool is_word_behind_hyphen(std::string_view text, size_t end) {
  const bool capital = text[end - 1] >= 'A' && text[end - 1] <= 'Z';
  return capital && end + 1 < text.size() && text[end] == ' ' && text[end + 1] >= 'a' && text[end + 1] <= 'z';
}

/// Whether these letters behind a hyphen are several options in one word: "rf", "xvf", "vET", and not "ing".
bool are_short_options(std::string_view letters) {
  constexpr size_t kMostOptions = 4;
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  if (letters.size() > kMostOptions || is_capital(letters.front())) return false;
  return std::ranges::any_of(letters, is_capital) || letters.find_first_of("aeiouy") == std::string_view::npos;
}

/// Behind a value such as "=FILE" or "[=WHEN]", if there is one.
size_t end_of_value(std::string_view text, size_t at) {
  const bool optional = text.substr(at).starts_with("[=");
  if (!optional && !text.substr(at).starts_with("=")) return at;
  const size_t begin = at + (optional ? 2 : 1);
  size_t end = end_of_run(text, begin, is_of_value);
  while (end > begin && is_sign_of(text[end - 1], ".:!?")) --end;
  if (end == begin) return at;
  if (!optional) return end;
  return text.substr(end).starts_with("]") ? end + 1 : at;
}

}  // namespace

size_t end_of_option(std::string_view text, size_t at) {
  if (!may_begin(text, at)) return kNoEnd;
  const SignMatcher matcher(text);
  const bool is_long = matcher.is_at(at, "--");
  const size_t name = at + (is_long ? 2 : 1);
  if (!matcher.is_letter(name)) return kNoEnd;
  if (!is_long) {
    size_t end = name + 1;
    while (matcher.is_letter(end)) ++end;
    const bool several = end > name + 1, speech = at == 0 || text[at - 1] == '\n';  // "-Vlk a koza"
    if (several && (speech || !are_short_options(text.substr(name, end - name)))) return kNoEnd;
    const bool alone = end == text.size() || is_sign_of(text[end], " \t\n,;:.)]|'\"`/\\=");
    return alone && (several || !is_word_behind_hyphen(text, end)) ? end_of_value(text, end) : kNoEnd;
  }
  const size_t end = end_of_run(text, name, is_of_name);
  const bool dash = text[end - 1] == '-' || (text[name] >= 'A' && text[name] <= 'Z');  // "came --finally-- home"
  return end > name + 1 && !dash ? end_of_value(text, end) : kNoEnd;
}

size_t end_of_variable(std::string_view text, size_t at) {
  if (!may_begin(text, at)) return kNoEnd;
  const size_t name = end_of_run(text, at, [](UChar32 c) { return (c >= 'A' && c <= 'Z') || c == '_'; });
  constexpr size_t kLeastLetters = 4;  // "NA=not available" is a legend
  const bool is_name = name >= at + kLeastLetters || text.substr(at, name - at).find('_') != std::string_view::npos;
  if (name < at + 2 || !is_name || !text.substr(name).starts_with("=")) return kNoEnd;
  const size_t end = end_of_value(text, name);
  return end > name ? end : kNoEnd;
}

}  // namespace ventris::documents
