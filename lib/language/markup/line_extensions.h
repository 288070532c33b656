#pragma once
#include <cstddef>
#include <string_view>

#include "markup/paragraph.h"

namespace ventris::markup {

/// The end of what begins a line of a paragraph here and is no text; kNoEnd if nothing does.
/// - The line that begins or ends a box (:::name or /// name |, without the title behind it), and the options of a box
///   below it (:class: tip of MyST, indented "type: warning" of PyMdown).
/// - A component of Nuxt (::alert{type="info"}), a directive of remark (::video[title]), the beginning of a block in
///   slides (.left[), a part of a card or a cell in MyST (^^^, +++), a code of a forum ([quote="name"]), a quick action
///   of GitLab (/label ~bug).
/// - A module, whose documentation mkdocstrings writes, with its options (::: a.b.C, and indented lines below).
/// - The name of an abbreviation (*[name]:), and of a place in MyST ((name)=).
/// - A word that is a sign: of a caption (Table: of pandoc), of a part (# (PART) of bookdown).
/// - A file to include: --8<-- "a.md", <<< @/a.js, @[code](a.js).
/// - JavaScript in MDX: import and export, also over several lines, and a comment ({/* a */}).
size_t end_of_line_extension(Paragraph& paragraph, size_t at);

/// Whether the line is an option of MyST: ":class: tip". `blanks`: what may stand behind the second colon.
bool is_option_of_myst(std::string_view line, std::string_view blanks);

/// What ends the block that this line begins, alone in a line: "::" for "::alert{type=\"info\"}" (a component of Nuxt),
/// "]" for ".left[" (slides of remark); empty if it begins no such block.
std::string_view end_of_component(std::string_view line);

/// Whether the line is one of JavaScript in MDX: it imports or exports something.
bool is_javascript(std::string_view line);

/// Whether a part that was found in a line, and fills it, stays on a line of its own, because it is or looks like one
/// of these (but boxes and abbreviations).
bool may_fill_line(std::string_view raw);

}  // namespace ventris::markup
