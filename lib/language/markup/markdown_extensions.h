#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/markdown_events.h"

namespace ventris::markup {

/// What many programs read in Markdown, but CommonMark does not know, and what is no text: formulas (formulas.h), code
/// of templates (templates.h), lists of attributes (attribute_lists.h), lines of boxes and others (line_extensions.h),
/// patterns of files (**/*.c), references of wikis ([[page]], ![[image.png]]) and [TOC], roles of MyST ({ref}`a`, with
/// their code), addresses with signs of emphasis (http://a.b/*c*), and names of emoji (:smile:). Sorted; they do not
/// overlap. What may be something else in ordinary text is none, such as "$5 and $6".
struct MarkdownExtensions {
  std::vector<ByteRange> spans;
  std::vector<ByteRange> backticks = {};  ///< in paragraphs with spans, those that begin and end no code
  /// What the parser must not see in targets of links: code of templates ("[a]({{ url }}/b)"), signs of emphasis.
  std::vector<ByteRange> in_targets = {};
  /// Lists of attributes directly behind words in brackets ("[words]{.class}"): the parser sees targets of links.
  std::vector<ByteRange> attributes = {};
};
/// Takes a time that grows with the document. `jsx`: it has tags that only MDX knows (jsx_in_tags).
MarkdownExtensions markdown_extensions(std::string_view document, bool jsx = false);

/// The document with code in the place of these parts: the first and the last byte of each is a backtick, and nothing
/// inside is a sign of Markdown. Backticks that are left over are commas, so that they do not become one with ours.
/// Templates and signs of emphasis in targets are letters, because a target has no spaces.
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
