#pragma once
#include <string>
#include <string_view>

#include "markup/markup.h"

namespace ventris::office {

/// A document in XHTML: as markup::parse_markup() for HTML, but tags are those of XML. Names for characters that HTML
/// has and XML has not, such as "&nbsp;", become characters. What is not well-formed XML is read as HTML. Throws
/// MarkupError as markup::parse_markup().
markup::MarkedDocument parse_xhtml(const std::string& document, const markup::DocumentChanges& changes = {});

/// Whether a page of HTML says that it is XHTML, and has empty elements that only XML ends where they begin, such as
/// <script src="a.js"/>.
bool is_xhtml(std::string_view document);

/// The table of contents of EPUB 2 (toc.ncx): the title and the labels are texts.
markup::MarkedDocument parse_ncx(const std::string& document);

/// The package document of EPUB: its titles are texts. A language among the changes becomes that of the book.
markup::MarkedDocument parse_package_document(const std::string& document, const markup::DocumentChanges& changes = {});

}  // namespace ventris::office
