#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "markup/marked_text.h"

namespace ventris::documents {

/// The bytes of a text, in order, at which two elements of HTML touch each other, or a word, so that a style sheet puts
/// room between what would otherwise be one word or number:
/// - a digit on both sides: "<a>2024</a><span>12</span>";
/// - a letter on one side and a digit on the other one, between two elements, at <span>, <small>, <a> or <label>, and
///   at a start tag with attributes: "Inbox<span>4</span>", "<b>20</b><i>Sale</i>";
/// - a small letter and a capital, between two elements or in front of a <span> with attributes:
///   "<b>Size</b><i>Colour</i>", "Title<span class="new">New</span>";
/// - any two between two elements of which one is <del> or <ins>: "<del>seller</del><ins>buyer</ins>";
/// - any one in front of a letter in <sub> or <sup>: "Windows<sup>Pro</sup>". Indices and ends of words are no marks
///   there any more (is_index, raised_ends);
/// - any two at an element without content, such as an icon, and in front of one that only screen readers see.
/// Takes a time that grows with the marks.
std::vector<size_t> element_gaps(std::string_view text, const std::vector<markup::Mark>& marks);

}  // namespace ventris::documents
