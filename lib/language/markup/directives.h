#pragma once
#include <string>
#include <string_view>

namespace ventris::markup {

/// A document in which the parser sees the text in directives of MyST and blocks of bookdown that are written like code
/// (```{note}, ```{theorem}): the lines around it and its options become rules, and a line with a title a heading.
/// Places and lines stay the same.
std::string with_open_directives(std::string document);

/// Whether a title, or the first words of the text, may stand behind the name of this directive of MyST; otherwise, a
/// name, a path or options may stand there.
bool is_titled_directive(std::string_view name);

/// Whether the content of this directive of MyST is code, a list of files, or nothing.
bool is_directive_of_code(std::string_view name);

}  // namespace ventris::markup
