#pragma once
#include "markup/paragraph.h"

namespace ventris::markup {

/// The end of the formula that begins here: $a_b$, $`a_b`$, $$a_b$$, \(a_b\), \[a_b\], the last two also with two
/// backslashes, and \begin{equation}...\end{equation}; kNoEnd if none does. `line_begins`: whether this is the first
/// text of its line. A formula may have several lines if it begins and ends one, and otherwise two. What may be
/// something else in ordinary text is none, such as "$5 and $6" and "\[a note\]".
size_t end_of_formula(Paragraph& paragraph, size_t at, bool line_begins);

}  // namespace ventris::markup
