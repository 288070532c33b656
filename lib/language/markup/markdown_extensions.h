#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/markdown_events.h"

namespace ventris::markup {

/// What many programs read in Markdown, but CommonMark does not know, and what is no text: formulas ($a_b$, $$...$$,
/// \(...\), \[...\], also with two backslashes, \begin{equation}...\end{equation}), lists of attributes ({#name},
/// {.class}, {: ...}), references of wikis ([[page]]) and [TOC], code of templates ({{ name }}, {% tag %}, <%= name
/// %>), addresses with signs of emphasis (http://a.b/*c*), names of emoji (:smile:), and the lines that begin or end a
/// box
/// (:::name), or explain an abbreviation (*[name]:). Sorted; they do not overlap. A formula may have several lines if
/// it begins and ends one, and otherwise two. What may be something else in ordinary text is none, such as "$5 and $6"
/// and
/// "\[a note\]".
struct MarkdownExtensions {
  std::vector<ByteRange> spans;
  std::vector<ByteRange> backticks = {};  ///< in paragraphs with spans, those that begin and end no code
  std::vector<ByteRange> in_targets = {};  ///< code of templates in targets of links: "[a]({{ url }}/b)"
};
/// Takes a time that grows with the document.
MarkdownExtensions markdown_extensions(std::string_view document);

/// The document with code in the place of these parts: the first and the last byte of each is a backtick, and nothing
/// inside is a sign of Markdown. Backticks that are left over are commas, so that they do not become one with ours.
/// Templates in targets are letters, because a target has no spaces.
/// Lines and places stay the same.
std::string with_code_at(std::string document, const MarkdownExtensions& found);

/// A document as it is parsed, and its parts.
struct MarkdownReading {
  std::string text;  ///< as the document, with blank settings (with_blank_settings), blocks that the parser knows
                     ///< (with_known_blocks), and code in the place of extensions
  std::vector<MarkdownEvent> events;
};

/// Throws as markdown_events.
MarkdownReading read_markdown(std::string_view document);

}  // namespace ventris::markup
