#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/document_text.h"

namespace ventris::formats {

/// A statement of an entry: a keyword and its text.
struct PoText {
  ByteRange range;    ///< in the document, from the keyword to the last quotation mark
  std::string text;   ///< without quotation marks and escapes
};

/// An entry of a PO file (GNU gettext, section 10.1). Obsolete entries (#~) and comments are none.
struct PoEntry {
  int64_t line = 1;  ///< of its msgid
  std::optional<ByteRange> flags;  ///< behind the "#," of its (first) line of flags
  size_t flag_place = 0;  ///< the byte at which a line of flags can be added
  bool has_context = false;
  std::optional<PoText> id, plural;
  std::vector<PoText> translations;  ///< msgstr, or msgstr[0] and so on
  bool is_plural() const { return plural.has_value(); }
};

/// All entries. Throws MarkupError, with the line, for a file that is not PO.
std::vector<PoEntry> read_po(std::string_view document);

/// A statement with this text, in quotation marks; in several lines if it has several, or is long.
std::string write_po(std::string_view keyword, std::string_view text, std::string_view line_end);

}  // namespace ventris::formats
