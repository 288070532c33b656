#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "formats/document_text.h"

namespace ventris::formats {

/// A pattern of ICU that has forms (plural, selectordinal or select): {n, plural, one {# day} other {# days}}.
struct IcuPattern {
  ByteRange range;               ///< in the text, with its braces
  ByteRange name;                ///< "n", without white space around it
  bool plural = false;           ///< "#" is the number in its forms
  bool offset = false;           ///< "#" is less than the number: "offset:1"
  std::vector<ByteRange> forms;  ///< inside of their braces
};

/// What is in front of the first form: "n, plural,".
struct IcuHeader {
  enum class Kind { kPlural, kSelect, kChoice };
  ByteRange name;
  size_t end;
  Kind kind;
};
/// Of the pattern that begins at this brace of the text, whatever follows; nothing if none with forms begins there.
/// kChoice: Java's {0,choice,0#no files|1#one file}.
std::optional<IcuHeader> icu_header(std::string_view text, size_t brace);

/// The whole pattern of plural or select that begins at this brace of the text; nothing if there is none with forms.
/// Apostrophes quote braces (ICU, "MessageFormat").
std::optional<IcuPattern> icu_pattern(std::string_view text, size_t brace);

/// The next of these signs, from this byte on, that no apostrophe quotes; the end of the text if there is none.
size_t next_unquoted(std::string_view text, size_t at, std::string_view signs);

/// The signs that an apostrophe in front of them quotes.
inline constexpr std::string_view kQuotable = "{}#|";

/// Whether an apostrophe at this byte would begin a quoted part.
bool begins_quote(std::string_view text, size_t at);

/// Behind the quoted part that an apostrophe at this byte begins; the same place if it begins none.
size_t end_of_quoted(std::string_view text, size_t at);

/// Behind the brace that closes the one at this byte; npos: there is none.
size_t end_of_icu_braces(std::string_view text, size_t at);

/// Whether there are words around a pattern in this text, or places for words or numbers.
bool has_icu_words(std::string_view around);

/// Whether a tag has begun in front of this byte and goes on: <a title="
bool is_in_tag(std::string_view text, size_t at);

/// The range without ASCII white space at its ends.
ByteRange without_white_ends(std::string_view text, ByteRange range);

}  // namespace ventris::formats
