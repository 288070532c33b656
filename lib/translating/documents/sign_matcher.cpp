#include "documents/sign_matcher.h"

#include <unicode/uchar.h>

#include <string>

#include "markup/addresses.h"
#include "markup/text_cursor.h"

namespace ventris::documents {

size_t SignMatcher::letters_behind(size_t at) const {
  size_t letters = 0;
  while (letters < 3 && at < text_.size()) {
    const UChar32 c = markup::next_character(text_, at);
    if (u_isalpha(c) == 0 || markup::is_cjk(c)) break;
    ++letters;
  }
  return letters;
}

size_t SignMatcher::end_between(size_t at, std::string_view sign) const {
  const size_t end = text_.substr(0, std::min(at + kLongestTag, text_.size())).find(sign, at);
  return end != std::string_view::npos && end > at ? end + sign.size() : kNoEnd;
}

size_t SignMatcher::end_in_word(size_t at, char sign) const {
  const std::string_view word = text_.substr(0, std::min(at + kLongestName, text_.size()));
  const size_t end = word.find_first_of(std::string{sign, ' ', '\t', '\n'}, at);
  return end != std::string_view::npos && end > at && word[end] == sign ? end + 1 : kNoEnd;
}

}  // namespace ventris::documents
