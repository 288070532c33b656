#include "office/odf_text.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <utility>
#include <vector>

#include "office/paragraphs.h"
#include "office/xml_tree.h"

namespace ventris::office {
namespace {

using XmlKind = markup::XmlEvent::Kind;

/// Several spaces are one, unless elements stand for the others (OpenDocument 1.2, part 1, section 6.1.2).
class OdfNotation : public Notation {
 public:
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
      if (spaces > 0) written += "<text:s text:c=\"" + std::to_string(spaces) + "\"/>";
      after_space = end > begin;
      escaped.remove_prefix(end);
    }
    return written;
  }
  std::string item(const Item& /*item*/, std::string_view raw) const override { return std::string(raw); }
};

/// Reads the items of paragraphs.
class OdfReader {
 public:
  explicit OdfReader(const XmlDocument& xml) : xml_(xml) {}

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

  void add_content(size_t element) {
    for (size_t i = xml_.elements[element].begin + 1; i < xml_.elements[element].end; ++i) {
      const markup::XmlEvent& event = xml_.events[i];
      std::string text;
      if (event.kind == XmlKind::kOpen) {
        add(event.element);
        i = xml_.elements[event.element].end;
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

  void add(size_t element) {
    const std::string_view name = xml_.name(element);
    const ByteRange range = range_of(xml_, element);
    if (name == "text:s") {
      push(Item::Kind::kText, {}).text.assign(count_of_spaces(element), ' ');
      return;
    }
    if (is_one_of(name, {"text:span", "text:a", "text:meta"}) && !xml_.is_empty_tag(element))
      return add_around(element);
    if (is_one_of(name, {"text:tab", "text:line-break"})) {
      push(depth_ == 0 ? Item::Kind::kBreak : Item::Kind::kAlone, range);
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
    const std::string_view value = xml_.attribute(element, "text:c");
    std::from_chars(value.data(), value.data() + value.size(), count);
    return std::min(count, kMost);
  }
  void add_around(size_t element) {
    const size_t pair = pairs_.next();
    push(Item::Kind::kOpen, {range_of(xml_, element).begin, xml_.end_of_tag(element)}).pair = pair;
    ++depth_;
    add_content(element);
    --depth_;
    push(Item::Kind::kClose, {content_of(xml_, element).end, range_of(xml_, element).end}).pair = pair;
  }
  /// The number of the pair to which one end of a bookmark, reference or change belongs; 0 for all others.
  size_t pair_of(size_t element) {
    std::string_view name = xml_.name(element);
    const bool begins = name.ends_with("-start");
    if (!begins && !name.ends_with("-end")) return 0;
    name.remove_suffix(begins ? 6 : 4);
    std::string key(name);
    for (const char* attribute : {"text:name", "text:change-id", "office:name"}) {
      key += ' ';
      key += xml_.attribute(element, attribute);
    }
    return begins ? pairs_.begin(key) : pairs_.end(key);
  }

  const XmlDocument& xml_;
  std::vector<Item> items_;
  PairNumbers pairs_;
  size_t depth_ = 0;
  bool after_space_ = true;
};

/// For each element, whether it is inside of something whose paragraphs are not translated.
std::vector<bool> kept_elements(const XmlDocument& xml) {
  std::vector<bool> kept(xml.elements.size(), false);
  for (size_t element = 1; element < kept.size(); ++element) {
    const std::string_view name = xml.name(element), type = xml.attribute(element, "office:value-type");
    const bool cell = name == "table:table-cell";
    const bool computed =
        cell && ((!type.empty() && type != "string") || !xml.attribute(element, "table:formula").empty());
    kept[element] = kept[xml.elements[element].parent] || computed || name == "text:tracked-changes";
  }
  return kept;
}

}  // namespace

markup::MarkedDocument parse_odf_text(const std::string& document) {
  const XmlDocument xml = markup::read_xml(document);
  const std::vector<bool> kept = kept_elements(xml);
  OdfReader reader(xml);
  const auto writer = std::make_shared<ParagraphWriter>(document, std::make_shared<OdfNotation>());
  markup::MarkedDocument blocks;
  for (size_t element = 1; element < xml.elements.size(); ++element) {
    const bool paragraph = is_one_of(xml.name(element), {"text:p", "text:h"});
    if (paragraph && !kept[element] && !xml.is_empty_tag(element)) writer->add(reader.read(element), blocks);
  }
  blocks.writer = writer;
  return blocks;
}

}  // namespace ventris::office
