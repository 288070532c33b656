#pragma once
#include <cstddef>

#include "markup/paragraph.h"

namespace ventris::markup {

/// How many bytes the search for the ends of braces may still look at in a paragraph of this size. It needs few, unless
/// the text is made such that nothing ends.
struct BraceEffort {
  explicit BraceEffort(size_t size) : left(32 * size + 4096) {}
  size_t left;
};

/// The functions return the end of what begins at this place of a paragraph; kNoEnd if nothing does.

/// A command of TeX with its arguments (\ref{a}, \cite[p. 1]{b}, \@ref(fig:a)), one that needs none (\newpage) and that
/// is known or fills its line, or the lines from \begin{name} to \end{name}.
size_t end_of_tex(Paragraph& paragraph, size_t at, bool line_begins, BraceEffort& effort);

/// An expression of JavaScript in braces, as MDX has them. `mdx`: all braces are; otherwise only what is no text:
/// {props.name}, {2 * Math.PI}, {f(x)}.
size_t end_of_expression(const Paragraph& paragraph, size_t at, bool mdx, BraceEffort& effort);

/// Keys that are pressed together, as PyMdown has them (++ctrl+alt+del++), or a sign of CriticMarkup ({++, ++}, {--,
/// --}, {==, ==}, {~~, ~~}), the second of a pair only if the first one is before, or a comment of it ({>>a<<}).
size_t end_of_keys(const Paragraph& paragraph, size_t at);
size_t end_of_change(Paragraph& paragraph, size_t at);

/// The name of a block in Obsidian at the end of a line (^my-block), and a tag with parts (#project/name).
size_t end_of_block_name(Paragraph& paragraph, size_t at);
size_t end_of_tag_path(const Paragraph& paragraph, size_t at);

/// An issue of a repository (owner/name#45), and the number of a commit (a1b2c3d, up to 40 digits of which some are
/// letters).
size_t end_of_issue(const Paragraph& paragraph, size_t at);
size_t end_of_commit(const Paragraph& paragraph, size_t at);

}  // namespace ventris::markup
