#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "markup/html_token.h"

namespace ventris::markup {

/// A part of an XML document.
struct XmlEvent {
  enum class Kind { kText, kOpen, kClose, kOther };
  Kind kind = Kind::kOther;
  ByteRange range = {};   ///< the end of an empty element has no bytes of its own, but the same range
  std::string text = {};  ///< of kText, without entities
  size_t element = 0;     ///< that is opened or closed, or that has it
};

/// An element of an XML document. The first one stands for the document itself.
struct XmlElement {
  size_t parent = 0;
  ByteRange name = {};       ///< in the document
  size_t begin = 0, end = 0;  ///< the numbers of the events of its tags
  bool has_text = false;     ///< of its own
  bool translated = true;
  bool keeps_lines = false;  ///< line ends inside count
  bool translates_inside = false;  ///< it is not translated, but an element inside it is
};

/// What expat reports, in the order of the document.
struct XmlDocument {
  std::string_view source;
  std::vector<XmlEvent> events;
  std::vector<XmlElement> elements;

  /// With its prefix.
  std::string_view name(size_t element) const;
  /// Without its prefix.
  std::string_view local_name(size_t element) const;
  HtmlToken tag(size_t element) const;
  /// As it is written; empty if there is none. `name`: in small letters.
  std::string_view attribute(size_t element, std::string_view name) const;
  /// The last byte of the start tag, and one more.
  size_t end_of_tag(size_t element) const { return events[elements[element].begin].range.end; }
  bool is_empty_tag(size_t element) const;
};

/// Whether an element, and all inside it, is translated unless an element or attribute says something else: translate
/// and its:translate ("no", "yes"; ITS 2.0), translatable ("false", "true"; Android), elements of code, and in XLIFF
/// mrk of the type "protected"; in resources of Android, an element whose text is a reference is not. `source` must
/// outlive the result. Throws MarkupError as parse_markup() does.
XmlDocument read_xml(const std::string& source);

}  // namespace ventris::markup
