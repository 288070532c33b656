#include "markup/xml.h"

#include <vector>

#include "markup/attribute_texts.h"
#include "markup/block_builder.h"
#include "markup/html_token.h"
#include "markup/xliff.h"
#include "markup/xml_events.h"
#include "markup/xml_parts.h"

namespace ventris::markup {
namespace {

/// An element is a part of a sentence if its parent has text of its own.
class UsualRoles : public XmlRoles {
 public:
  explicit UsualRoles(const XmlDocument& xml) : xml_(xml) {}
  XmlRole of(size_t element) const override {
    const XmlElement& parent = xml_.elements[xml_.elements[element].parent];
    return element != 0 && parent.has_text && parent.translated ? XmlRole::kInline : XmlRole::kBlock;
  }

 private:
  const XmlDocument& xml_;
};

/// Writes the language into those of xml:lang and lang that the root has, or as xml:lang.
void set_root_language(const XmlDocument& xml, const HtmlToken& root, const std::string& language, Edits& edits) {
  const bool plain = attribute(xml.source, root, "lang").has_value();
  if (plain) set_attribute(xml.source, root, "lang", language, edits);
  if (!plain || attribute(xml.source, root, "xml:lang")) {
    set_attribute(xml.source, root, "xml:lang", language, edits);
  }
}

}  // namespace

MarkedDocument parse_xml(const std::string& document, const DocumentChanges& changes) {
  const XmlDocument xml = read_xml(document);
  if (is_xliff(xml)) return parse_xliff(xml, changes);
  Edits edits;
  AttributeTexts attributes(document, Markup::kXml);
  for (size_t element = 1; element < xml.elements.size() && changes.any(); ++element) {
    const HtmlToken tag = xml.tag(element);
    if (element == 1 && !changes.language.empty()) set_root_language(xml, tag, changes.language, edits);
    if (changes.attributes && xml.elements[element].translated) attributes.take(tag, edits);
  }
  MarkedDocument blocks = in_blocks(document, xml_parts(xml, UsualRoles(xml), 0, xml.events.size()), edits);
  attributes.append_to(blocks);
  return blocks;
}

}  // namespace ventris::markup
