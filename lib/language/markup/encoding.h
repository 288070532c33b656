#pragma once
#include <cstdint>
#include <string>

#include "core/human.h"
#include "markup/markup.h"

namespace ventris::markup {

/// A document in UTF-8.
struct DecodedDocument {
  std::string text;           ///< if it declares an encoding, it declares UTF-8
  std::string encoding = {};  ///< from which it was converted; "" = it was in UTF-8
  bool wrongly_declared = false;  ///< it was in UTF-8, but declared another encoding
  /// A whole page in HTML that a byte-order mark tells to be UTF-8, or that is ASCII and declares nothing: in any other
  /// way, a browser would not know that the output is UTF-8.
  bool needs_mark = false;
  core::FirstLines replaced = {};  ///< the lines with bytes that the encoding does not have, which became U+FFFD
};

/// Converts the bytes of an HTML or XML document to UTF-8, and changes its declarations to UTF-8. Its encoding is, in
/// this order: that of a byte-order mark; UTF-8 if the bytes are valid UTF-8; the one that the document declares, in
/// the XML declaration or in a <meta> of HTML. As in browsers, ISO-8859-1 and US-ASCII mean windows-1252. Bytes that
/// the encoding does not have become U+FFFD. Documents of other kinds are returned as they are, and so are those that
/// declare nothing, also with bytes that are not UTF-8. Throws MarkupError for an encoding that is not known.
DecodedDocument decode_document(std::string bytes, Markup markup);

}  // namespace ventris::markup
