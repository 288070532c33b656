#include "markup/xml.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "markup/android_text.h"
#include "markup/attribute_texts.h"
#include "markup/block_builder.h"
#include "markup/characters.h"
#include "markup/html_token.h"
#include "markup/xliff.h"
#include "markup/xml_events.h"
#include "markup/xml_notes.h"
#include "markup/xml_parts.h"

namespace ventris::markup {
namespace {

/// An element is a part of a sentence if its parent has text of its own. Notes are marks in a sentence.
class UsualRoles : public XmlRoles {
 public:
  UsualRoles(const XmlDocument& xml, Markup markup) : xml_(xml), notes_(xml), messages_(has_messages(markup)) {}
  XmlRole of(size_t element) const override {
    if (is_note(element)) return XmlRole::kAlone;
    const XmlElement& parent = xml_.elements[xml_.elements[element].parent];
    return element != 0 && parent.has_text && parent.translated ? XmlRole::kInline : XmlRole::kBlock;
  }
  bool are_messages() const override { return messages_; }
  bool is_note(size_t element) const { return !messages_ && notes_.has(element); }

 private:
  const XmlDocument& xml_;
  const NotesInSentences notes_;
  const bool messages_;
};

/// Writes the language into those of xml:lang and lang that the root has, or as xml:lang.
void set_root_language(const XmlDocument& xml, const HtmlToken& root, const std::string& language, Edits& edits) {
  const bool plain = attribute(xml.source, root, "lang").has_value();
  if (plain) set_attribute(xml.source, root, "lang", language, edits);
  if (!plain || attribute(xml.source, root, "xml:lang")) {
    set_attribute(xml.source, root, "xml:lang", language, edits);
  }
}

/// Throws MarkupError for another kind of XML than the one that was asked for.
void check_root(const XmlDocument& xml, Markup markup) {
  const char* const expected = markup == Markup::kXliff ? "xliff" : "resources";
  if (markup == Markup::kXml || (xml.elements.size() > 1 && xml.local_name(1) == expected)) return;
  const size_t begin = xml.elements.size() > 1 ? xml.elements[1].name.begin : 0;
  fail<MarkupError>("line ", 1 + std::ranges::count(xml.source.substr(0, begin), '\n'), ": expected <", expected,
                    ">, found <", xml.elements.size() > 1 ? xml.name(1) : "", ">; give --markup xml for other XML");
}

/// The parts of string resources of Android.
std::vector<Part> of_android(std::string_view document, const std::vector<Part>& parts) {
  std::vector<Part> changed;
  for (const Part& part : parts) {
    if (part.kind == Part::Kind::kText) {
      std::ranges::copy(android_parts(document, part), std::back_inserter(changed));
      continue;
    }
    changed.push_back(part);
    changed.back().escaping = Escaping::kDocument;
  }
  keep_what_is_no_text(changed);
  return changed;
}

/// Keeps the numbers of a quiz of Moodle, "What is {a} + {b}?", as placeholders, but not the braces of TeX
/// ("\frac{a}").
void keep_numbers_of_quiz(MarkedDocument& document) {
  constexpr std::string_view kBeforeTex = "^_}{\\";
  for (Block& block : document.blocks) {
    const std::string_view text = block.text.text;
    for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
      size_t end = at + 1;
      while (end < text.size() && (is_alnum_byte(text[end]) || text[end] == '_')) ++end;
      const bool tex = at > 0 && (is_letter(text[at - 1]) || kBeforeTex.find(text[at - 1]) != std::string_view::npos);
      if (!tex && end > at + 1 && end < text.size() && text[end] == '}') block.placeholders.push_back({at, end + 1});
    }
  }
}

}  // namespace

MarkedDocument parse_xml(const std::string& document, Markup markup, const DocumentChanges& changes) {
  XmlDocument xml = read_xml(document);
  check_root(xml, markup);
  if (markup == Markup::kAndroid) choose_android_texts(xml);
  if (is_xliff(xml)) return parse_xliff(xml, changes);
  Edits edits;
  AttributeTexts attributes(document, Markup::kXml);
  const UsualRoles roles(xml, markup);
  XmlNotes notes(xml, roles, attributes.texts(), edits);
  for (size_t element = 1; element < xml.elements.size(); ++element) {
    notes.end_before(element);
    if (roles.is_note(element)) notes.begin(element);
    if (!changes.any()) continue;
    const HtmlToken tag = xml.tag(element);
    if (element == 1 && !changes.language.empty()) set_root_language(xml, tag, changes.language, edits);
    if (changes.attributes && xml.elements[element].translated) attributes.take(tag, edits);
  }
  notes.end_all();
  std::vector<Part> parts = xml_parts(xml, roles, 0, xml.events.size());
  if (markup == Markup::kAndroid) parts = of_android(document, parts);
  MarkedDocument blocks = in_blocks(document, std::move(parts), edits);
  if (xml.elements.size() > 1 && xml.name(1) == "quiz") keep_numbers_of_quiz(blocks);
  attributes.texts().append_to(blocks);
  return blocks;
}

}  // namespace ventris::markup
