#pragma once
#include <string_view>

namespace ventris::markup {

/// Whether an element inside a message is code of a manual, as catalogues of DocBook, DITA and Mallard have it:
/// <filename>, <command>, <option>-a</option>. Elements whose name may also be one of HTML or of a page's own program
/// (<option>, <file>, <package>) are code by their content: one word, or signs of code. `name`: as it is written;
/// `content`: between its tags, perhaps with others.
bool is_code_of_manual(std::string_view name, std::string_view content);

/// Whether it can be code with any content.
bool may_be_code_of_manual(std::string_view name);

}  // namespace ventris::markup
