#include "office/epub_text.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

#include "markup/attribute_texts.h"
#include "markup/block_builder.h"
#include "markup/html.h"
#include "markup/html_token.h"
#include "markup/xml_parts.h"
#include "office/xml_tree.h"

namespace ventris::office {
namespace {

using markup::Edits;
using markup::HtmlRole;
using markup::XmlRole;

class XhtmlRoles : public markup::XmlRoles {
 public:
  explicit XhtmlRoles(const XmlDocument& xml) : xml_(xml) {}
  XmlRole of(size_t element) const override {
    const HtmlRole role = markup::role_of_element(std::string(xml_.local_name(element)));
    return role == HtmlRole::kInline || role == HtmlRole::kInlineCode ? XmlRole::kInline : XmlRole::kBlock;
  }

 private:
  const XmlDocument& xml_;
};

/// All elements inside a label are tags in a sentence.
class LabelRoles : public markup::XmlRoles {
 public:
  XmlRole of(size_t /*element*/) const override { return XmlRole::kInline; }
};

/// The end of a comment or CDATA section that begins here; the same place if none does.
size_t end_of_section(std::string_view document, size_t at) {
  const std::string_view rest = document.substr(at);
  const char* const end = rest.starts_with("<!--") ? "-->" : rest.starts_with("<![CDATA[") ? "]]>" : nullptr;
  if (end == nullptr) return at;
  const size_t found = document.find(end, at);
  return found == std::string_view::npos ? document.size() : found;
}

/// The characters in the place of an entity that XML does not have; nothing if it is not one of HTML.
std::optional<std::string> characters_of(std::string_view entity) {
  const std::string_view name = entity.substr(1, entity.size() - 2);
  const auto is_sign = [](unsigned char c) { return std::isalnum(c) == 0; };
  if (name.empty() || std::ranges::any_of(name, is_sign)) return {};
  std::string characters = markup::decode_entities(entity);
  const bool is_markup = characters.find_first_of("<>&\"'") != std::string::npos;  // also an entity that nobody knows
  return is_markup ? std::nullopt : std::optional(std::move(characters));
}

std::string with_characters(const std::string& document) {
  constexpr size_t kLongestName = 40;
  if (document.find("<!ENTITY") != std::string::npos) return document;
  std::string changed;
  size_t done = 0;
  for (size_t at = document.find_first_of("&<"); at != std::string::npos; at = document.find_first_of("&<", at + 1)) {
    if (document[at] == '<') {
      at = end_of_section(document, at);
      continue;
    }
    const std::string_view near = std::string_view(document).substr(at, kLongestName + 1);
    const size_t length = near.find(';') + 1;
    const auto characters = length == 0 ? std::nullopt : characters_of(near.substr(0, length));
    if (!characters) continue;
    changed.append(document, done, at - done) += *characters;
    done = at + length;
  }
  return changed.append(document, done);
}

void set_language(const XmlDocument& xml, const std::string& language, Edits& edits) {
  if (language.empty() || xml.elements.size() < 2) return;
  const markup::HtmlToken root = xml.tag(1);
  const bool plain = markup::attribute(xml.source, root, "lang").has_value();
  if (plain) markup::set_attribute(xml.source, root, "lang", language, edits);
  if (!plain || markup::attribute(xml.source, root, "xml:lang")) {
    markup::set_attribute(xml.source, root, "xml:lang", language, edits);
  }
}

markup::MarkedDocument parse_well_formed(const std::string& document, const markup::DocumentChanges& changes) {
  const XmlDocument xml = markup::read_xml(document);
  Edits edits;
  markup::AttributeTexts attributes(document, markup::Markup::kXml);
  set_language(xml, changes.language, edits);
  for (size_t element = 1; element < xml.elements.size() && changes.attributes; ++element) {
    if (xml.elements[element].translated) attributes.take(xml.tag(element), edits);
  }
  std::vector<markup::Part> parts = markup::xml_parts(xml, XhtmlRoles(xml), 0, xml.events.size());
  markup::MarkedDocument blocks = markup::in_blocks(document, std::move(parts), edits);
  attributes.texts().append_to(blocks);
  return blocks;
}

/// The contents of some elements as texts.
markup::MarkedDocument contents(const XmlDocument& xml, const std::function<bool(size_t element)>& is_text,
                                const Edits& edits = {}) {
  std::vector<markup::Part> parts;
  const LabelRoles roles;
  for (size_t element = 1; element < xml.elements.size(); ++element) {
    if (!is_text(element)) continue;
    const markup::XmlElement& one = xml.elements[element];
    std::ranges::move(markup::xml_parts(xml, roles, one.begin + 1, one.end), std::back_inserter(parts));
    parts.push_back({{xml.events[one.end].range.begin, xml.events[one.end].range.begin}, markup::Part::Kind::kKept});
  }
  return markup::in_blocks(xml.source, std::move(parts), edits);
}

}  // namespace

markup::MarkedDocument parse_xhtml(const std::string& document, const markup::DocumentChanges& changes) {
  const std::string plain = with_characters(document);
  try {
    return parse_well_formed(plain, changes);
  } catch (const markup::MarkupError& error) {
    if (std::string_view(error.what()).find("well-formed") == std::string_view::npos) throw;
    return markup::parse_html(document, changes);
  }
}

bool is_xhtml(std::string_view document) {
  constexpr std::string_view kNamespace = "http://www.w3.org/1999/xhtml";
  bool declared = false;
  for (size_t at = 0; at < document.size();) {
    const markup::HtmlToken token = markup::html_token(document, at);
    at = token.range.end;
    if (token.kind != markup::HtmlToken::Kind::kStartTag) continue;
    if (!declared) {  // the first element
      const auto value = markup::attribute(document, token, "xmlns");
      if (!value || document.substr(value->begin, value->end - value->begin) != kNamespace) return false;
      declared = true;
    }
    if (token.self_closing && !markup::is_void_element(token.name)) return true;
  }
  return false;
}

markup::MarkedDocument parse_ncx(const std::string& document) {
  const XmlDocument xml = markup::read_xml(document);
  return contents(xml, [&](size_t element) {
    const std::string_view parent = xml.local_name(xml.elements[element].parent);
    return xml.local_name(element) == "text" && is_one_of(parent, {"navLabel", "docTitle"});
  });
}

markup::MarkedDocument parse_package_document(const std::string& document, const markup::DocumentChanges& changes) {
  const XmlDocument xml = markup::read_xml(document);
  const auto is_in_metadata = [&](size_t element, std::string_view name) {
    return xml.local_name(element) == name && xml.local_name(xml.elements[element].parent) == "metadata";
  };
  Edits edits;
  for (size_t element = 1; element < xml.elements.size() && !changes.language.empty(); ++element) {
    if (!is_in_metadata(element, "language") || xml.is_empty_tag(element)) continue;
    edits.add(content_of(xml, element), changes.language);
    break;
  }
  return contents(xml, [&](size_t element) { return is_in_metadata(element, "title"); }, edits);
}

}  // namespace ventris::office
