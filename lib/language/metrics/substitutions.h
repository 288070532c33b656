#pragma once
#include <string>
#include <string_view>

#include "metrics/unicode.h"

/// The substitutions that tokenizations consist of.
namespace ventris::metrics {

void replace_all(std::string& text, std::string_view from, std::string_view to);

/// Replaces &quot; &amp; &lt; &gt; one after the other: "&amp;lt;" becomes "<", but "&amp;quot;" becomes "&quot;".
void unescape_entities(std::string& text);

/// Puts spaces around ASCII punctuation, except ' , - and the full stop.
std::string split_ascii_punctuation(std::string_view text);

/// Splits off a full stop or comma that is not after a digit, then one that is not before a digit, and a dash after a
/// digit.
std::string split_stops_and_dashes(std::string text);

/// Puts spaces around the characters that pass the test.
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

/// Replaces all non-overlapping pairs of characters that match, from left to right, in a string of any character type.
/// append(result, first, second) writes the replacement.
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
