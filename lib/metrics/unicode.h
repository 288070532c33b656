#pragma once
#include <string>
#include <string_view>
#include <vector>

/// Text as Python's str treats it, since the published numbers of the field rest on that. Input is UTF-8; a maximal
/// ill-formed piece counts as one U+FFFD.
namespace ventris::metrics {

/// Whether Python's str.split() and str.rstrip() take it for white space: 29 code points, among them U+001C to U+001F
/// and U+0085, but not U+200B or U+FEFF.
bool is_space(char32_t character);

std::u32string decode(std::string_view text);

/// The words between white space; views into `text`.
std::vector<std::string_view> split_words(std::string_view text);

/// `text` without white space at its end.
std::string_view strip_right(std::string_view text);

/// Full lower-casing without a locale: a sigma at the end of a word becomes U+03C2, U+0130 becomes two characters.
/// Ill-formed pieces stay as they are. Throws DataError for a text of over 2 GiB.
std::string to_lower(std::string_view text);

}  // namespace ventris::metrics
