#include "documents/link_placeholders.h"

#include <algorithm>
#include <vector>

#include "documents/sign_matcher.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

/// Behind a target that begins at this byte of a line, without its title.
size_t end_of_address(std::string_view line, size_t at) {
  for (size_t round = 0, braces = 0; at < line.size(); ++at) {
    const char sign = line[at];
    if (sign == '\\') {
      ++at;
    } else if (sign == '<') {
      at = std::min(line.find('>', at), line.size());
    } else if (braces == 0 && (sign == ' ' || sign == '\t' || (sign == ')' && round == 0))) {
      return at;
    } else if (sign == '{' || sign == '}') {
      braces = sign == '{' ? braces + 1 : std::max<size_t>(braces, 1) - 1;
    } else if (sign == '(' || sign == ')') {
      round = sign == '(' ? round + 1 : std::max<size_t>(round, 1) - 1;
    }
  }
  return line.size();
}

/// Behind a title in quotation marks that begins at this byte of a line; the same place if there is none.
size_t end_of_title(std::string_view line, size_t at) {
  if (at >= line.size() || !is_sign_of(line[at], "\"'")) return at;
  const size_t end = line.find(line[at], at + 1);
  return end == kNowhere ? at : end + 1;
}

/// Behind the bracket that closes the one in front of this byte, whatever is between them.
size_t end_of_grammar(std::string_view line, size_t at) {
  for (size_t depth = 1; at < line.size(); ++at) {
    depth += line[at] == '(' ? 1 : 0;
    if (line[at] == ')' && --depth == 0) return at + 1;
  }
  return kNoEnd;
}

/// Behind the target of a link, which begins at this byte of a line, and its bracket.
size_t end_of_target_with_title(std::string_view line, size_t at) {
  at = end_of_address(line, std::min(line.find_first_not_of(' ', at), line.size()));
  const size_t title = std::min(line.find_first_not_of(" \t", at), line.size());
  const size_t end = title > at ? end_of_title(line, title) : at;
  const size_t close = std::min(line.find_first_not_of(" \t", end), line.size());
  return close < line.size() && line[close] == ')' ? close + 1 : kNoEnd;
}

/// Whether brackets that begin at this byte, directly behind a word, are no link, but an index or the end of a word:
/// "array[0](x)", "file[s](optional)".
bool is_index(std::string_view text, size_t at, std::string_view words) {
  constexpr size_t kLongestIndex = 2;
  const UChar32 before = markup::character_before(text, at);
  return words.size() <= kLongestIndex && markup::is_word_character(before) && !markup::is_cjk(before);
}

/// Where the words begin in "[firstname,fallback=words"; 0: it is something else.
size_t words_of_fallback(std::string_view bracket) {
  const size_t comma = bracket.find(','), name = bracket.find_first_of(" \t\n");
  if (comma == kNowhere || comma == 1 || name < comma) return 0;
  constexpr std::string_view kFallback = "fallback=";
  const size_t words = std::min(bracket.find_first_not_of(' ', comma + 1), bracket.size());
  return bracket.substr(words).starts_with(kFallback) ? words + kFallback.size() : 0;
}

}  // namespace

LinkParts::LinkParts(std::string_view text) {
  std::vector<size_t> open;
  for (size_t at = text.find_first_of("[]\\"); at != kNowhere; at = text.find_first_of("[]\\", at + 1)) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '[') {
      open.push_back(at);
    } else if (!open.empty()) {
      add(text, {open.back(), at});
      open.pop_back();
    }
  }
}

void LinkParts::add(std::string_view text, text::ByteRange brackets) {
  const auto [begin, close] = brackets;
  const std::string_view shown = text.substr(0, std::min(close + kLongestTag, text.size()));
  const std::string_view line = shown.substr(0, shown.find('\n', close));
  if (!line.substr(close + 1).starts_with('(')) {
    const size_t words = words_of_fallback(text.substr(begin, std::min(close - begin, kLongestName)));
    if (words == 0) return;
    ends_[begin] = begin + words;
    ends_[close] = close + 1;
    return;
  }
  if (is_index(text, begin, text.substr(begin + 1, close - begin - 1))) return;
  const char before = begin > 0 ? text[begin - 1] : ' ';
  const size_t end = before == '^' ? end_of_grammar(line, close + 2) : end_of_target_with_title(line, close + 2);
  if (end == kNoEnd) return;
  ends_[begin - (before == '^' || before == '!' ? 1 : 0)] = begin + 1;
  ends_[close] = end;
}

size_t LinkParts::end_of_part(size_t at) const {
  const auto part = ends_.find(at);
  return part == ends_.end() ? kNoEnd : part->second;
}

bool begins_link(std::string_view raw) {
  return raw == "[" || raw == "![" || raw == "^[" || raw.ends_with("fallback=");
}

bool ends_link(std::string_view raw) { return raw == "]" || raw.starts_with("]("); }

}  // namespace ventris::documents
