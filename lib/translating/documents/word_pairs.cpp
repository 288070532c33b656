#include "documents/word_pairs.h"

#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

bool is_of_spaced_words(UChar32 c) { return markup::is_word_character(c) && !markup::is_cjk(c); }

}  // namespace

bool touch_words_between(std::string_view text, text::ByteRange first, text::ByteRange second) {
  if (first.end >= second.begin) return false;
  const std::string_view words = text.substr(first.end, second.begin - first.end);
  size_t next = 0;
  if (!is_of_spaced_words(markup::next_character(words, next))) return false;
  if (!is_of_spaced_words(markup::character_at(words, next)) || words.find('\n') != std::string_view::npos)
    return false;
  return words.back() != ' ' && !is_of_spaced_words(markup::character_before(text, first.begin)) &&
         !is_of_spaced_words(markup::character_at(text, second.end));
}

}  // namespace ventris::documents
