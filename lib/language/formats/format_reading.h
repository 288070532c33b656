#pragma once
#include <cstddef>
#include <string>

#include "markup/markup.h"

namespace ventris::formats {

/// What is done with files of one format only.
struct FormatOptions {
  bool fuzzy = true;      ///< PO: translations get the flag fuzzy, because nobody has looked at them
  /// JSON and YAML: only values of these keys, separated by commas, are translated; "" = all. Markdown: also those of
  /// its front matter are; "" = none.
  std::string keys = {};
  size_t most_unpacked = markup::kLongestDocument;  ///< DOCX, OpenDocument, EPUB: bytes of all texts, unpacked
};

/// markup::parse_markup for documents of every kind. Throws MarkupError, with the line, for a document that is not of
/// the kind, and for text that is not in UTF-8. `document`: of markup::is_package(), the bytes of the zip file.
markup::MarkedDocument read_document(const std::string& document, markup::Markup markup,
                                     const markup::DocumentChanges& changes = {}, const FormatOptions& options = {});

}  // namespace ventris::formats
