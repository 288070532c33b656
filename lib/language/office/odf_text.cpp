#include "office/odf_text.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "markup/block_builder.h"
#include "markup/characters.h"
#include "markup/edits.h"
#include "markup/html.h"
#include "office/paragraphs.h"
#include "office/symbols.h"
#include "office/usual_names.h"
#include "office/xml_tree.h"

namespace ventris::office {
namespace {

using XmlKind = markup::XmlEvent::Kind;

/// The vocabularies of OpenDocument 1.3 (part 3, chapter 2), and what LibreOffice adds to them.
UsualNames names_of(const XmlDocument& xml) {
  return {xml,
          {{"text", "urn:oasis:names:tc:opendocument:xmlns:text:1.0"},
           {"style", "urn:oasis:names:tc:opendocument:xmlns:style:1.0"},
           {"table", "urn:oasis:names:tc:opendocument:xmlns:table:1.0"},
           {"office", "urn:oasis:names:tc:opendocument:xmlns:office:1.0"},
           {"loext", "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0"}}};
}

/// Several spaces are one, unless elements stand for the others (OpenDocument 1.2, part 1, section 6.1.2).
class OdfNotation : public Notation {
 public:
  /// `prefix`: of the names of texts in the document, with its colon.
  explicit OdfNotation(std::string prefix) : prefix_(std::move(prefix)) {}

  std::string text(std::string_view escaped, size_t /*format*/, bool after_space) const override {
    std::string written;
    while (!escaped.empty()) {
      const size_t begin = std::min(escaped.find(' '), escaped.size());
      const size_t end = std::min(escaped.find_first_not_of(' ', begin), escaped.size());
      written += escaped.substr(0, begin);
      size_t spaces = end - begin;
      if (spaces > 0 && (begin > 0 || !after_space)) {
        written += ' ';
        --spaces;
      }
      if (spaces > 0) written += elements_for(spaces);
      after_space = end > begin;
      escaped.remove_prefix(end);
    }
    return written;
  }
  std::string item(const Item& /*item*/, std::string_view raw) const override { return std::string(raw); }

 private:
  std::string elements_for(size_t spaces) const {
    if (!prefix_.empty()) return "<" + prefix_ + "s " + prefix_ + "c=\"" + std::to_string(spaces) + "\"/>";
    std::string all;  // an attribute would need a prefix
    for (size_t i = 0; i < spaces; ++i) all += "<s/>";
    return all;
  }

  const std::string prefix_;
};

/// Reads the items of paragraphs.
class OdfReader {
 public:
  OdfReader(const XmlDocument& xml, const UsualNames& names) : xml_(xml), names_(names) { find_scripts(); }

  Paragraph read(size_t paragraph) {
    items_.clear();
    depth_ = 0;
    pairs_ = {};
    after_space_ = true;
    add_content(paragraph);
    return {content_of(xml_, paragraph), std::move(items_)};
  }

 private:
  Item& push(Item::Kind kind, ByteRange range) { return items_.emplace_back(Item{kind, range}); }

  /// Finds the styles of this part whose text is superscript or subscript.
  void find_scripts() {
    for (size_t element = 1; element < xml_.elements.size(); ++element) {
      if (names_.name(element) != "style:text-properties") continue;
      const std::string_view position = names_.attribute(element, "style:text-position");
      if (position.empty() || position.starts_with('0')) continue;
      const bool lowered = position.starts_with('-') || position.starts_with("sub");  // "-33%", not "33%"
      scripts_[names_.attribute(xml_.elements[element].parent, "style:name")] = lowered ? "sub" : "sup";
    }
  }

  void add_content(size_t element) {
    for (size_t i = xml_.elements[element].begin + 1; i < xml_.elements[element].end; ++i) {
      const markup::XmlEvent& event = xml_.events[i];
      std::string text;
      if (event.kind == XmlKind::kOpen) {
        add(event.element);
        i = xml_.elements[event.element].end;
      } else if (event.kind == XmlKind::kText && is_symbols(event.text)) {
        add_symbols(event.range);
      } else if (event.kind == XmlKind::kText) {
        add_text(event.text);
      } else if (add_cdata(xml_, i, text)) {
        add_text(text);
      } else {
        const bool entity = part_of(xml_.source, event.range).starts_with('&');
        push(entity ? Item::Kind::kObject : Item::Kind::kAlone, event.range);
      }
    }
  }
  void add_text(std::string_view text) {
    std::string kept;
    for (const char c : text) {
      const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (!space || !after_space_) kept += space ? ' ' : c;
      after_space_ = space;
    }
    if (!kept.empty()) push(Item::Kind::kText, {}).text = std::move(kept);
  }

  /// They stay in their span, whose font draws them.
  void add_symbols(ByteRange range) {
    push(Item::Kind::kObject, range);
    after_space_ = false;
  }

  void add(size_t element) {
    const std::string name = names_.name(element);
    const ByteRange range = range_of(xml_, element);
    if (name == "text:s") {
      push(Item::Kind::kText, {}).text.assign(count_of_spaces(element), ' ');
      return;
    }
    const auto script =
        name == "text:span" ? scripts_.find(names_.attribute(element, "text:style-name")) : scripts_.end();
    if (script != scripts_.end()) {
      const std::string text = text_of(xml_, element);
      const std::string_view before =
          items_.empty() || items_.back().kind != Item::Kind::kText ? std::string_view() : items_.back().text;
      if (markup::is_sign_or_index(script->second, before, text)) {
        push(Item::Kind::kObject, range).script = Item::script_of(script->second);
        after_space_ = false;
        return;
      }
      if (markup::ends_word(before, text)) return add_content(element);
    }
    if (is_one_of(name, {"text:span", "text:a", "text:meta", "loext:content-control"}) && !xml_.is_empty_tag(element))
      return add_around(element, element);
    if (const size_t base = base_of_ruby(element); base != 0) return add_around(element, base);
    if (is_one_of(name, {"text:tab", "text:line-break"})) {
      push(depth_ == 0 ? Item::Kind::kBreak : Item::Kind::kAlone, range).divides = depth_ > 0;
      after_space_ = true;
    } else if (name != "text:soft-page-break") {
      const bool field = name.starts_with("text:") && name != "text:note" && !text_of(xml_, element).empty();
      push(field ? Item::Kind::kObject : Item::Kind::kAlone, range).pair = pair_of(element);
      if (field) after_space_ = false;
    }
  }
  size_t count_of_spaces(size_t element) const {
    constexpr size_t kMost = 1000;
    size_t count = 1;
    const std::string_view value = names_.attribute(element, "text:c");
    std::from_chars(value.data(), value.data() + value.size(), count);
    return std::min(count, kMost);
  }
  /// The element becomes tags around `content`, which is inside of it, or the same.
  void add_around(size_t element, size_t content) {
    const size_t pair = pairs_.next();
    push(Item::Kind::kOpen, {range_of(xml_, element).begin, xml_.end_of_tag(content)}).pair = pair;
    ++depth_;
    add_content(content);
    --depth_;
    push(Item::Kind::kClose, {content_of(xml_, content).end, range_of(xml_, element).end}).pair = pair;
  }
  /// The words of a <text:ruby>; 0 if the element is no such one.
  size_t base_of_ruby(size_t element) const {
    size_t base = 0;
    if (names_.name(element) != "text:ruby") return base;
    for_children(xml_, element, [&](size_t child) {
      if (names_.name(child) == "text:ruby-base" && !xml_.is_empty_tag(child)) base = child;
    });
    return base;
  }
  /// The number of the pair to which one end of a bookmark, reference or change belongs; 0 for all others.
  size_t pair_of(size_t element) {
    const std::string whole = names_.name(element);
    std::string_view name = whole;
    const bool begins = name.ends_with("-start");
    if (!begins && !name.ends_with("-end")) return 0;
    name.remove_suffix(begins ? 6 : 4);
    std::string key(name);
    for (const char* attribute : {"text:name", "text:change-id", "office:name"}) {
      key += ' ';
      key += names_.attribute(element, attribute);
    }
    return begins ? pairs_.begin(key) : pairs_.end(key);
  }

  const XmlDocument& xml_;
  const UsualNames& names_;
  std::map<std::string_view, const char*> scripts_;  // styles of raised and lowered text: the element of HTML for it
  std::vector<Item> items_;
  PairNumbers pairs_;
  size_t depth_ = 0;
  bool after_space_ = true;
};

/// For each element, whether it is inside of something whose paragraphs are not translated.
std::vector<bool> kept_elements(const XmlDocument& xml, const UsualNames& names) {
  std::vector<bool> kept(xml.elements.size(), false);
  for (size_t element = 1; element < kept.size(); ++element) {
    const std::string name = names.name(element);
    const bool cell = name == "table:table-cell";
    const std::string_view type = cell ? names.attribute(element, "office:value-type") : "";
    const bool computed =
        cell && ((!type.empty() && type != "string") || !names.attribute(element, "table:formula").empty());
    kept[element] = kept[xml.elements[element].parent] || computed || name == "text:tracked-changes";
  }
  return kept;
}

/// Adds the removal of an attribute with this value, with the white space before it.
void remove_attribute(const XmlDocument& xml, ByteRange value, markup::Edits& edits) {
  const size_t sign = xml.source.rfind('=', value.begin);
  const size_t name = xml.source.find_last_of(" \t\r\n", xml.source.find_last_not_of(" \t\r\n", sign - 1));
  edits.add({xml.source.find_last_not_of(" \t\r\n", name) + 1, value.end + 1}, "");
}

/// The paragraphs of a cell, with line ends between.
std::string text_of_cell(const XmlDocument& xml, const UsualNames& names, size_t cell) {
  std::string text;
  for_children(xml, cell, [&](size_t child) {
    if (names.name(child) == "text:p") text += (text.empty() ? "" : "\n") + text_of(xml, child);
  });
  return text;
}

/// The document without the values of cells that are also their paragraphs, which would stay as in the source. (Without
/// a value, the content of a cell is its value: OpenDocument 1.2, part 1, section 19.383.)
std::string without_values_of_cells(const std::string& document) {
  if (document.find(":string-value") == std::string::npos) return document;
  const XmlDocument xml = markup::read_xml(document);
  const UsualNames names = names_of(xml);
  const std::vector<bool> kept = kept_elements(xml, names);
  const std::string name = names.written_prefix("office") + "string-value";
  markup::Edits edits;
  for (size_t cell = 1; cell < xml.elements.size(); ++cell) {
    if (kept[cell] || !is_one_of(names.name(cell), {"table:table-cell", "table:covered-table-cell"})) continue;
    const auto value = markup::attribute(xml.source, xml.tag(cell), name);
    if (!value) continue;
    const std::string text = markup::decode_entities(part_of(xml.source, *value));
    if (markup::has_letters(text) && text == text_of_cell(xml, names, cell)) remove_attribute(xml, *value, edits);
  }
  return edits.apply(document, {0, document.size()});
}

}  // namespace

markup::MarkedDocument parse_odf_text(const std::string& whole) {
  const std::string document = without_values_of_cells(whole);
  const XmlDocument xml = markup::read_xml(document);
  const UsualNames names = names_of(xml);
  const std::vector<bool> kept = kept_elements(xml, names);
  OdfReader reader(xml, names);
  const auto notation = std::make_shared<OdfNotation>(names.written_prefix("text"));
  const auto writer = std::make_shared<ParagraphWriter>(document, notation);
  markup::MarkedDocument blocks;
  for (size_t element = 1; element < xml.elements.size(); ++element) {
    const bool paragraph =
        is_one_of(names.name(element), {"text:p", "text:h", "presentation:header-decl", "presentation:footer-decl"});
    if (paragraph && !kept[element] && !xml.is_empty_tag(element)) writer->add(reader.read(element), blocks);
  }
  blocks.writer = writer;
  return blocks;
}

}  // namespace ventris::office
