#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// A part of a Markdown document.
struct MarkdownEvent {
  enum class Kind {
    kText,
    kCode,  ///< the content of a code span
    kTag,   ///< a tag or comment of HTML inside a text
    kHtml,  ///< the content of a block of HTML, if it has no signs of blocks around it at the beginnings of its lines
    kOpen,  ///< the signs at the beginning of a span
    kClose,
    kSoftBreak,  ///< a line end inside a paragraph, which is shown as a space
    kHardBreak,  ///< a line end that is shown as one
    kBlock  ///< the beginning or end of a paragraph, list item, table cell...
  };
  enum class Span { kNone, kEmphasis, kStrong, kStrike, kCode, kLink, kImage };

  Kind kind = Kind::kBlock;
  Span span = Span::kNone;  ///< of kOpen and kClose
  ByteRange range = {};  ///< its bytes in the document; see has_place()
  bool in_code = false;  ///< inside an element of code that a block of HTML has opened
  std::string text = {};  ///< of kText, without entities and backslashes
  uint64_t digest = 0;  ///< of kOpen: of the target and title of a link or image; of kBlock: of its kind, and at its
                        ///< end of code or HTML that it holds

  /// Whether the parser says where it is. The places of the other events follow from their neighbours
  /// (locate_markdown() of markdown_places.h).
  bool has_place() const { return kind <= Kind::kHtml; }
};

/// A number for the target and title of a link, from the event of its opening signs.
uint64_t number_of_link(const MarkdownEvent& event);

/// The parts of a document in CommonMark with the tables, task lists and strikethrough of GitHub, in their order.
/// Blocks of code have no events inside. Addresses without brackets are text here (find_addresses finds
/// them), because the parser's time to find them grows with the square of their number. Throws MarkupError for spans
/// that are nested deeper than kDeepestNesting and for more than kMostParts events, Interrupted after a stop signal.
/// `indented_code`: text that is indented by four spaces is code; in MDX, it is not.
std::vector<MarkdownEvent> markdown_events(std::string_view document, bool indented_code = true);

/// The document with spaces in the place of its settings (settings_of), which are not Markdown. Lines
/// and places stay the same.
std::string with_blank_settings(std::string_view document);

}  // namespace ventris::markup
