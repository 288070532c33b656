#include "office/xml_tree.h"

namespace ventris::office {

bool add_cdata(const XmlDocument& xml, size_t i, std::string& text) {
  constexpr std::string_view kBegin = "<![CDATA[", kEnd = "]]>";
  const std::string_view raw = part_of(xml.source, xml.events[i].range);
  if (!raw.starts_with(kBegin)) return false;
  text += raw.substr(kBegin.size(), raw.size() - kBegin.size() - kEnd.size());
  return true;
}

std::string text_of(const XmlDocument& xml, size_t element) {
  std::string text;
  for (size_t i = xml.elements[element].begin + 1; i < xml.elements[element].end; ++i) {
    if (!add_cdata(xml, i, text)) text += xml.events[i].text;
  }
  return text;
}

}  // namespace ventris::office
