#pragma once
#include <string>
#include <string_view>

#include "metrics/unicode.h"

/// The substitutions that tokenizations are made of.
namespace ventris::metrics {

void replace_all(std::string& text, std::string_view from, std::string_view to);

/// &quot; &amp; &lt; &gt;, one after the other: "&amp;lt;" ends as "<", "&amp;quot;" as "&quot;".
void unescape_entities(std::string& text);

/// Spaces round ASCII punctuation that always stands alone: all of it but ' , - and the full stop.
std::string split_ascii_punctuation(std::string_view text);

/// Splits off a full stop or comma unless a digit stands before, then unless one stands behind, and a dash behind a
/// digit.
std::string split_stops_and_dashes(std::string text);

/// Spaces round the characters that pass the test.
template <typename Test>
std::string set_apart(std::string_view text, const Test& test) {
  std::string result;
  result.reserve(2 * text.size());
  for_each_character(text, [&](char32_t character, std::string_view bytes) {
    if (test(character)) {
      result.append(" ").append(bytes).append(" ");
    } else {
      result.append(bytes);
    }
  });
  return result;
}

/// One pass of a substitution whose pattern is two characters, over a string of any kind of characters: from left to
/// right, a matched pair is used up. append(result, first, second) writes what stands for it.
template <typename String, typename Matches, typename Append>
String replace_pairs(const String& text, const Matches& matches, const Append& append) {
  String result;
  result.reserve(2 * text.size());
  size_t i = 0;
  while (i < text.size()) {
    if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
      append(result, text[i], text[i + 1]);
      i += 2;
    } else {
      result += text[i++];
    }
  }
  return result;
}

}  // namespace ventris::metrics
