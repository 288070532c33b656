#pragma once
#include <string>

namespace ventris::markup {

/// A document in which the parser sees the text in directives of MyST and blocks of bookdown that are written like code
/// (```{note}, ```{theorem}): the lines around it and its options become rules, and a line with a title a heading.
/// Places and lines stay the same.
std::string with_open_directives(std::string document);

}  // namespace ventris::markup
