#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "formats/document_text.h"

/// The apostrophes of messages in the syntax of MessageFormat (Java, ICU), where one of them in front of a brace begins
/// a quoted part, and two are an apostrophe.
namespace ventris::formats {

/// Whether all apostrophes of a message are doubled, at least one of them between two letters: "can''t find {0}".
/// `java`: also a message with a place for a number ("{0}") that has no single apostrophe, because Java needs them
/// doubled.
bool has_doubled_apostrophes(std::string_view message, bool java);

/// With an apostrophe in the place of each two. Moves the places, which are in the text, are sorted and do not overlap.
std::string with_single_apostrophes(std::string_view text, std::vector<ByteRange>& places);
std::string with_doubled_apostrophes(std::string_view text);

/// The translation of a part of a message, with those apostrophes doubled that would begin a quoted part: in front of
/// braces, "#" and "|", also if these follow the part. If the part has quotes or doubled apostrophes, it comes back as
/// it is.
std::string without_quoting_apostrophes(std::string translation, std::string_view message, ByteRange part);

}  // namespace ventris::formats
