#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "formats/document_text.h"

namespace ventris::formats {

/// Code in a message, which is not divided in it. In order, without overlaps.
/// - messages of ICU and Fluent, and other code in braces: "{n, plural,\n one {# day}\n other {# days}}"
/// - references of Slack ("<#C12|general>")
/// - tags of HTML and comments; elements with code, also of manuals, scripts or styles, and with translate="no", with
///   their content
/// - code of templates ("<%", "<?", "{#"), and their comments with content ("{% comment %}")
/// - code of Markdown in backticks, and between lines of three or more
/// - formulas of TeX
std::vector<ByteRange> code_in(std::string_view message);

/// Those of code_in() that are in a part of the message and go over lines, with their places in the part.
std::vector<ByteRange> code_over_lines(std::string_view message, const std::vector<ByteRange>& code, ByteRange part);

/// The braces of a text that belong together, sorted by the first.
std::vector<ByteRange> pairs_of_braces(std::string_view text);

/// The ranges, sorted, without those that overlap an earlier one. Of several at the same place, the longest is taken.
std::vector<ByteRange> without_overlaps(std::vector<ByteRange> ranges);

/// Whether one of the ranges, which are sorted and do not overlap, has this byte.
bool is_inside(const std::vector<ByteRange>& ranges, size_t at);

/// Where each line of a message ends, the last one at the end of the message. In these ranges, none ends.
std::vector<size_t> line_ends_of(std::string_view message, const std::vector<ByteRange>& code);

}  // namespace ventris::formats
