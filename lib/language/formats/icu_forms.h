#pragma once
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::formats {

using text::ByteRange;

/// A text in a pattern of ICU that has forms, "# days" in {n, plural, one {# day} other {# days}}.
struct IcuForm {
  ByteRange text;  ///< in the message, without white space around it
  /// Places in the text that stay: "#", in whose place the number stands, and parts in quotes ('{').
  std::vector<ByteRange> kept = {};
};

/// The forms of a message that is one pattern with the type plural, selectordinal or select, perhaps in brackets, and
/// of such patterns that are all of a form (ICU, "MessageFormat"; apostrophes quote braces). Nothing for any other
/// message, also one with words or other places around the pattern, and for one that is nested deeper than 20 levels.
std::vector<IcuForm> icu_forms(std::string_view message);

/// Whether a pattern with forms that have letters, also one of Java's choice, begins anywhere in the text: at one of
/// its first 20 opening braces.
bool has_icu_forms(std::string_view text);

}  // namespace ventris::formats
