#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "markup/marked_text.h"

namespace ventris::markup {

/// How texts are marked up.
enum class Markup { kNone, kHtml, kMarkdown, kXml };

/// A run of text between block tags.
struct Block {
  std::string before;  ///< what is kept in front of it, as it is written
  MarkedText text;     ///< with the tags and code inside; entities are characters
  int64_t line = 1;    ///< in the document, from 1
  text::ByteRange range = {};  ///< in the document, without `before`
};

/// A document in its blocks.
struct MarkedDocument {
  std::vector<Block> blocks;
  std::string after;
};

/// A document is not well formed. The message has the line in the document, not the file.
struct MarkupError : DataError {
  using DataError::DataError;
};

/// The longest document that users may give, in bytes.
inline constexpr size_t kLongestDocument = 64 << 20;

/// The deepest nesting of tags or marks. It bounds the stack that placing them in a translation takes.
inline constexpr int64_t kDeepestNesting = 1000;

/// Most tags, signs of Markdown and texts between them in a document. They need about 250 bytes each.
inline constexpr size_t kMostParts = 4'000'000;

/// Throws MarkupError: in this line, `what` ("tags") are nested deeper than kDeepestNesting.
[[noreturn]] void fail_nesting(int64_t line, const char* what);

/// What else is done with a document in HTML or XML.
struct DocumentChanges {
  bool attributes = false;    ///< translate attributes that have text, such as alt and title
  std::string language = {};  ///< of the translation: becomes that of the document; "" = it is not changed

  bool any() const { return attributes || !language.empty(); }
};

/// Parses a document in a time that grows with its size. Any HTML can be read; tags that are not nested stay as they
/// are. Throws MarkupError for XML that is not well formed, for tags or marks that are nested deeper than
/// kDeepestNesting, and for more than kMostParts parts; Interrupted after a stop signal.
MarkedDocument parse_markup(const std::string& document, Markup markup, const DocumentChanges& changes = {});

/// With DocumentChanges::attributes: `written` is the translation of all blocks, with all that is kept. Returns the
/// document in which the attributes are in their places.
std::string put_attributes(std::string_view written);

/// Characters of text that would be markup, as entities or, in Markdown, behind a backslash.
std::string escape(std::string_view text, Markup markup);

/// `text`, which is marked up and is written behind `before`, such that it does not begin a list, heading or quotation
/// of Markdown.
std::string escape_start(std::string text, std::string_view before, Markup markup);

}  // namespace ventris::markup
