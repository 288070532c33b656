#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/block_builder.h"

namespace ventris::markup {

/// What the texts of a document are.
enum class CdataTexts {
  kAny,
  kProse,    ///< of a title, a description or a post in a feed: never code as a whole
  kMessages  ///< of a program: texts, also with the signs of placeholders ("{name}", "$name", "%s")
};

/// The parts of a CDATA section of XML; `section`: its bytes in the document, with "<![CDATA[" and "]]>". If it has an
/// element of HTML or an entity, it is read as HTML, as feeds have it, in which blank lines divide texts, too, and in
/// prose all lines if nothing else does, as in posts of WordPress (divided_at_lines). Otherwise it is a text whose
/// lines are texts of their own (Escaping::kHtml and kCdata). A value that programs read (is_technical_value), and what
/// looks like code or a query are kept; sentences with few signs of programs do not look so. A message looks so only if
/// its lines end like those of a program, or it begins like a query. Throws as ParsingLimits.
std::vector<Part> cdata_parts(std::string_view document, text::ByteRange section, CdataTexts texts = CdataTexts::kAny);

/// A text in a CDATA section: "]]>" is divided between two sections.
std::string escape_cdata(std::string_view text);

}  // namespace ventris::markup
