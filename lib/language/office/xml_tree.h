#pragma once
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>

#include "markup/xml_events.h"

/// Elements of a document in XML that was read.
namespace ventris::office {

using markup::XmlDocument;
using text::ByteRange;

inline std::string_view part_of(std::string_view document, ByteRange range) {
  return document.substr(range.begin, range.end - range.begin);
}

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  for (const std::string_view one : names) {
    if (one == name) return true;
  }
  return false;
}

/// From its start tag to its end tag.
inline ByteRange range_of(const XmlDocument& xml, size_t element) {
  const markup::XmlElement& one = xml.elements[element];
  return {xml.events[one.begin].range.begin, xml.events[one.end].range.end};
}

/// What is between its tags.
inline ByteRange content_of(const XmlDocument& xml, size_t element) {
  const size_t begin = xml.end_of_tag(element);
  return {begin, xml.is_empty_tag(element) ? begin : xml.events[xml.elements[element].end].range.begin};
}

/// Calls `visit` with the number of each element directly inside this one.
template <typename Visit>
void for_children(const XmlDocument& xml, size_t element, const Visit& visit) {
  for (size_t i = xml.elements[element].begin + 1; i < xml.elements[element].end; ++i) {
    if (xml.events[i].kind != markup::XmlEvent::Kind::kOpen) continue;
    const size_t child = xml.events[i].element;
    visit(child);
    i = xml.elements[child].end;
  }
}

/// If event `i` is a CDATA section, its text is added.
bool add_cdata(const XmlDocument& xml, size_t i, std::string& text);

/// The text of an element, with that of the elements inside of it.
std::string text_of(const XmlDocument& xml, size_t element);

}  // namespace ventris::office
