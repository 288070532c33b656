#pragma once
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

/// Which signs begin a formula of TeX in a document.
struct TexSigns {
  bool dollars = false;  ///< a single "$" does, if there are no words inside; otherwise only if the text has what is
                         ///< certainly TeX between two of them
  bool brackets = false;  ///< "\(" and "\[" always do, as in HTML; otherwise only if no words are inside, or TeX is
};

/// The formulas in a text that is no Markdown (formulas.h), in order, without overlaps: \(a\), \[a\], the same with two
/// backslashes, $$a$$, $a_b$ and \begin{equation}...\end{equation}. Prices and names are none: "$5 and $6", "$name".
/// Takes a time that grows with the text.
std::vector<text::ByteRange> tex_formulas(std::string_view text, TexSigns signs = {});

/// Whether a page in HTML loads a program that shows formulas: MathJax or KaTeX.
bool loads_tex(std::string_view page);

}  // namespace ventris::markup
