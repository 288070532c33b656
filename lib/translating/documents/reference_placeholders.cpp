#include "documents/reference_placeholders.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string>

#include "documents/sign_matcher.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::character_before;
using markup::end_of_run;
using markup::is_word_character;

constexpr std::string_view kFormats = "BI";      ///< of POD: their words are translated
constexpr std::string_view kCodes = "CEFLSXZ";  ///< of POD

bool follows_word(std::string_view text, size_t at) { return is_word_character(character_before(text, at)); }

/// The place of a sign in the line, in the next kLongestTag bytes; the size of the text if there is none.
size_t next_in_line(std::string_view text, size_t at, char sign) {
  const std::string_view shown = text.substr(0, std::min(at + kLongestTag, text.size()));
  const size_t found = shown.find_first_of(std::string("\n") + sign, at);
  return found < shown.size() && shown[found] == sign ? found : text.size();
}

/// Whether the content of backticks is words with a target, "words <url>".
bool has_target(std::string_view content) {
  const size_t target = content.rfind(" <");
  return content.ends_with('>') && target != std::string_view::npos && target > 0 &&
         content.find_first_of(" \t", target + 1) == std::string_view::npos;
}

/// Whether "X<...>" in a text is a code of POD: "E<lt>", "C<ls -l>", and not "C<D then E>F" or "L<5 mm and w>3".
bool is_pod(std::string_view text, size_t capital, size_t close) {
  constexpr std::array<std::string_view, 8> kEntities{"lt", "gt", "sol", "verbar", "quot", "amp", "apos", "nbsp"};
  const std::string_view inside = text.substr(capital + 2, close - capital - 2);
  const bool digits = inside.find_first_not_of("0123456789") == std::string_view::npos;
  if (text[capital] == 'E')
    return !inside.empty() && (digits || std::ranges::find(kEntities, inside) != kEntities.end());
  if (text[capital] == 'Z') return inside.empty();
  return !inside.empty() && !is_sign_of(inside.front(), " 0123456789") && inside.back() != ' ' &&
         !is_word_character(markup::character_at(text, close + 1));
}

}  // namespace

size_t end_of_role(std::string_view text, size_t at) {
  const SignMatcher matcher(text);
  if (follows_word(text, at) || (at > 0 && is_sign_of(text[at - 1], "-+.:"))) return kNoEnd;
  size_t end = at;
  const std::string_view shown = text.substr(0, std::min(at + kLongestName, text.size()));
  while (matcher.is_at(end, ":") && matcher.is_letter(end + 1)) {
    end = end_of_run(shown, end + 1,
                     [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '-' || c == '+' || c == '.'); });
  }
  if (end == at || !matcher.is_at(end, ":`")) return kNoEnd;
  const size_t begin = end + 2, close = next_in_line(text, begin, '`');
  if (close == text.size() || close == begin) return kNoEnd;
  return has_target(text.substr(begin, close - begin)) ? begin : close + 1;
}

size_t end_of_reference(std::string_view text, size_t at) {
  const SignMatcher matcher(text);
  if (follows_word(text, at) || matcher.is_at(at + 1, "`") || (at > 0 && text[at - 1] == '`')) return kNoEnd;
  const size_t close = next_in_line(text, at + 1, '`');
  if (close <= at + 1 || !matcher.is_at(close, "`_")) return kNoEnd;
  if (has_target(text.substr(at + 1, close - at - 1))) return at + 1;
  return close + (matcher.is_at(close, "`__") ? 3 : 2);
}

size_t end_of_target(std::string_view text, size_t at) {
  const SignMatcher matcher(text);
  const size_t close = matcher.end_in_word(at + 1, '>');
  if (close == kNoEnd || !matcher.is_at(close, "`") || at == 0 || text[at - 1] != ' ') return kNoEnd;
  return close + (matcher.is_at(close, "`__") ? 3 : matcher.is_at(close, "`_") ? 2 : 1);
}

size_t end_of_citation(std::string_view text, size_t at) {
  const SignMatcher matcher(text);
  const size_t name = at + (matcher.is_at(at + 1, "#") || matcher.is_at(at + 1, "*") ? 2 : 1);
  const size_t end = end_of_run(text, name, [](UChar32 c) {
    return c < 0x80 && (is_word_character(c) || c == '-' || c == '.' || c == '+' || c == ':');
  });
  const bool cited = end > at + 1 && matcher.is_at(end, "]_");
  return cited && !is_word_character(markup::character_at(text, end + 2)) ? end + 2 : kNoEnd;
}

size_t end_of_substitution(std::string_view text, size_t at) {
  const SignMatcher matcher(text);
  if (follows_word(text, at) || !matcher.is_letter(at + 1) || (at > 0 && text[at - 1] == '|')) return kNoEnd;
  const size_t end = end_of_run(text, at + 1, [](UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '-'); });
  const bool is_name = text[at + 1] >= 'a' || text.substr(at, end - at).find_first_of("_-") != std::string_view::npos;
  if (!matcher.is_at(end, "|") || matcher.is_at(end, "||") || !is_name) return kNoEnd;
  const size_t last = end + (matcher.is_at(end, "|__") ? 3 : matcher.is_at(end, "|_") ? 2 : 1);
  return u_isalnum(markup::character_at(text, last)) != 0 ? kNoEnd : last;
}

size_t end_of_named_reference(std::string_view text, size_t at) {
  if (follows_word(text, at)) return kNoEnd;
  const std::string_view shown = text.substr(0, std::min(at + kLongestName, text.size()));
  const size_t end = end_of_run(shown, at, [](UChar32 c) { return c < 0x80 && is_word_character(c); });
  const bool named = end > at + 2 && text[end - 1] == '_' && text[end - 2] != '_';
  return named && !is_word_character(markup::character_at(text, end)) ? end : kNoEnd;
}

PodCodes::PodCodes(std::string_view text) {
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    if (at == 0 || !is_sign_of(text[at - 1], kFormats) || follows_word(text, at - 1)) continue;
    const std::string_view shown = text.substr(0, std::min(at + kLongestTag, text.size()));
    size_t end = at + 1;
    for (int64_t depth = 1; end < shown.size() && depth > 0 && shown[end] != '\n'; ++end) {
      depth += shown[end] == '<' ? 1 : shown[end] == '>' ? -1 : 0;
    }
    if (end > at + 2 && shown[end - 1] == '>' && is_pod(text, at - 1, end - 1)) {
      starts_.insert(at - 1);
      ends_.insert(end - 1);
    }
  }
}

size_t PodCodes::end_of_code(std::string_view text, size_t at) const {
  if (text[at] == '>') return ends_.contains(at) ? at + 1 : kNoEnd;
  if (text.substr(at).starts_with("E<lt>") || text.substr(at).starts_with("E<gt>")) return at + 5;
  if (follows_word(text, at) || at + 2 >= text.size() || text[at + 1] != '<') return kNoEnd;
  const size_t close = next_in_line(text, at + 2, '>');
  if (close == text.size()) return kNoEnd;
  if (is_sign_of(text[at], kCodes)) return is_pod(text, at, close) ? close + 1 : kNoEnd;
  if (!starts_.contains(at)) return kNoEnd;
  const bool word = text.substr(at + 2, close - at - 2).find_first_of(" <") == std::string_view::npos;
  return word ? close + 1 : at + 2;
}

}  // namespace ventris::documents
