#pragma once
#include <functional>
#include <memory>
#include <string>

#include "markup/encoding.h"
#include "markup/markup.h"
#include "text/byte_source.h"

namespace ventris::filters {

/// The bytes of a file with one HTML or XML document, converted to UTF-8 by the encoding that the document declares
/// (markup::decode_document). The log says so. For all other kinds of documents, the bytes are those of the file.
/// next_block() throws as text::ByteSource, MarkupError for an encoding that is not known, and DataError for a document
/// over markup::kLongestDocument, or a zip file over markup::kLargestPackage.
/// `told`, if given, is called before the first byte comes, with what is known of the document; its text is empty.
std::unique_ptr<text::ByteSource> document_bytes(
    const std::string& path, markup::Markup markup,
    std::function<void(const markup::DecodedDocument& document)> told = {});

}  // namespace ventris::filters
