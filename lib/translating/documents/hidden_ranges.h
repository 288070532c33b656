#pragma once
#include <string_view>
#include <vector>

#include "markup/marked_text.h"

/// The parts of a text that the model does not see: placeholders, and what belongs to them.
namespace ventris::documents {

using markup::MarkedText;
using text::ByteRange;

/// These ranges, which are sorted, and each U+FFFC of the text itself that is in none of them. (The model does not know
/// this character.)
std::vector<ByteRange> with_own_signs(const MarkedText& text, std::vector<ByteRange> ranges);

/// The placeholders that were found, and those of the format of a message. At the same place, the format decides; what
/// overlaps becomes one.
std::vector<ByteRange> with_those_of_format(std::vector<ByteRange> found, const std::vector<ByteRange>& of_format);

/// Ranges that touch each other as one, so that nothing comes between them.
std::vector<ByteRange> joined(const std::vector<ByteRange>& ranges);

/// The brackets of words in angle brackets ("<some words>") as one range with the words, for a text in which they
/// cannot be a pair of marks.
std::vector<ByteRange> with_bracketed_words(std::string_view text, const std::vector<ByteRange>& ranges);

/// The objects that only a sign separates, with the sign, so that it is not lost: "{h}:{m}", "{n} / {of}".
std::vector<ByteRange> joined_by_signs(const MarkedText& text);

/// These ranges of the text with the signs of Unicode for the direction of writing that touch them (U+200E, U+200F,
/// U+061C, U+202A to U+202E, U+2066 to U+2069), and the objects that have such signs beside them, with these.
std::vector<ByteRange> with_directional_signs(const MarkedText& text, const std::vector<ByteRange>& ranges);

/// The words with an index that are formulas and no words, with their objects: "CO<sub>2</sub>", "H<sub>2</sub>O",
/// "x<sub>1</sub>". Their letters are symbols of chemical elements, or one letter.
std::vector<ByteRange> formulas_with_indices(const MarkedText& text);

/// The objects that are values of templates, with the sign of a unit (is_unit_symbol) that touches their end:
/// "{{ h }}s", "<%= size %>px".
std::vector<ByteRange> values_with_units(const MarkedText& text);

/// The padding of the preview of an e-mail: the end of the text from the first sign without width on (U+200C, U+034F
/// and others), if there are several of them, with nothing but white space between. Empty if there is none, or no other
/// text.
std::vector<ByteRange> padding_of(const MarkedText& text);

/// The objects that are code, with an ending of a word that touches it: "`Promise`s", "<code>grep</code>ed"; and
/// formulas, with such an ending or the sign of a unit: "$n$th", "$\mu$m", "$^\circ$C".
std::vector<ByteRange> codes_with_endings(const MarkedText& text);

}  // namespace ventris::documents
