#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/block_builder.h"

namespace ventris::markup {

/// The parts of a CDATA section of XML; `section`: its bytes in the document, with "<![CDATA[" and "]]>". If it has
/// tags or entities, it is read as HTML, as feeds have it, and otherwise as a text (Escaping::kHtml and kCdata). A
/// value that programs read (is_technical_value), an address, and what looks like code or SQL are kept. Throws as
/// ParsingLimits.
std::vector<Part> cdata_parts(std::string_view document, text::ByteRange section);

/// A text in a CDATA section: "]]>" is divided between two sections.
std::string escape_cdata(std::string_view text);

}  // namespace ventris::markup
