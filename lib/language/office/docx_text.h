#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::office {

/// A part of a DOCX document with paragraphs: the body, a header, footer, footnotes, endnotes or comments (ECMA-376
/// part 1, section 17). The runs of a paragraph are one text, whatever divides them. Not translated: deleted text, the
/// codes of fields, and the results of fields that Word computes from something else than text of the document.
/// Throws MarkupError as markup::parse_markup().
markup::MarkedDocument parse_docx_text(const std::string& document);

}  // namespace ventris::office
