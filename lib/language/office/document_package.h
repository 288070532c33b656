#pragma once
#include <cstddef>
#include <string>

#include "markup/markup.h"

namespace ventris::office {

/// A document that is a zip file of parts: DOCX, OpenDocument or EPUB (markup::is_package). Its blocks are the texts of
/// all parts, and the line of each is its number in the document, from 1. Throws MarkupError for a file that is not of
/// this kind, is encrypted, or is damaged, with the name of the part; Interrupted after a stop signal.
/// `changes`: only of EPUB. `most_unpacked`: as of ZipPackage.
markup::MarkedDocument parse_package(const std::string& document, markup::Markup markup,
                                     const markup::DocumentChanges& changes = {},
                                     size_t most_unpacked = markup::kLongestDocument);

}  // namespace ventris::office
