#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

/// The end of "(target)" or "(target "title")" of a link, whose "(" is at this place (CommonMark, section 6.3);
/// std::string_view::npos if what is there is not such a target.
size_t end_of_link_target(std::string_view paragraph, size_t at);

/// The title of such a target, without the signs around it; empty if it has none.
text::ByteRange title_of_link(std::string_view paragraph, size_t at);

/// The signs of emphasis in targets and titles of the links and images of a paragraph, in their order. They mean
/// nothing, but the parser (md4c 0.4.8) takes them for the ends of emphasis around the link: "_[a](b_.c)_". May have
/// signs behind "](" that is text. Takes a time that grows with the paragraph.
std::vector<text::ByteRange> emphasis_in_targets(std::string_view paragraph);

}  // namespace ventris::markup
