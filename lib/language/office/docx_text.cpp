#include "office/docx_text.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "markup/block_builder.h"
#include "office/docx_fields.h"
#include "office/paragraphs.h"
#include "office/symbols.h"
#include "office/xml_tree.h"

namespace ventris::office {
namespace {

/// The properties of runs that were found, as they are written.
class RunFormats : public Notation {
 public:
  explicit RunFormats(std::string prefix) : prefix_(std::move(prefix)) {}

  void begin_paragraph() { numbers_.clear(); }
  /// `key`: what of the properties can be seen. In a paragraph, those with the same key are the same: the first ones.
  size_t number(const std::string& key, std::string_view properties) {
    const auto known = numbers_.find(key);
    if (known != numbers_.end()) return known->second;
    const auto [found, added] = numbers_of_properties_.emplace(properties, properties_.size());
    if (added) properties_.emplace_back(properties);
    return numbers_[key] = found->second;
  }

  std::string text(std::string_view escaped, size_t format, bool /*after_space*/) const override {
    const std::string name = prefix_ + "t";
    std::string content;
    while (!escaped.empty()) {
      const size_t hyphen = std::min(escaped.find(kNoBreakHyphen), escaped.size());
      const std::string words(escaped.substr(0, hyphen));
      if (hyphen > 0) content += "<" + name + " xml:space=\"preserve\">" + words + "</" + name + ">";
      escaped.remove_prefix(hyphen);
      if (escaped.empty()) break;
      content += "<" + prefix_ + "noBreakHyphen/>";
      escaped.remove_prefix(kNoBreakHyphen.size());
    }
    return in_run(content, format);
  }
  std::string item(const Item& item, std::string_view raw) const override {
    return item.format == Item::kNoFormat ? std::string(raw) : in_run(raw, item.format);
  }

 private:
  std::string in_run(std::string_view content, size_t format) const {
    const std::string name = prefix_ + "r>";
    const std::string properties = format < properties_.size() ? properties_[format] : "";
    return "<" + name + properties + std::string(content) + "</" + name;
  }

  std::string prefix_;
  std::vector<std::string> properties_;
  std::map<std::string, size_t> numbers_of_properties_;
  std::map<std::string, size_t> numbers_;  // by keys, in the paragraph
};

/// Whether an underlined text is a line to write on: three spaces or more.
bool is_blank(std::string_view text) {
  constexpr std::string_view kNoBreakSpace = "\u00a0";
  size_t spaces = 0;
  for (size_t at = 0; at < text.size(); ++spaces) {
    const bool no_break = text.substr(at).starts_with(kNoBreakSpace);
    if (!no_break && text[at] != ' ') return false;
    at += no_break ? kNoBreakSpace.size() : 1;
  }
  return spaces >= 3;
}

/// Reads the items of paragraphs.
class DocxReader {
 public:
  DocxReader(const XmlDocument& xml, std::string prefix, RunFormats& formats)
      : xml_(xml), prefix_(std::move(prefix)), formats_(formats) {}

  Paragraph read(size_t paragraph) {
    formats_.begin_paragraph();
    items_.clear();
    fields_.clear();
    depth_ = 0;
    pairs_ = {};
    ByteRange range = content_of(xml_, paragraph);
    bool first = true;
    for_children(xml_, paragraph, [&](size_t child) {
      const bool properties = name(child) == "pPr";
      if (properties && first) {
        range.begin = range_of(child).end;
      } else if (properties) {  // against the schema
        push(Item::Kind::kAlone, range_of(child));
      } else {
        add(child);
      }
      first = false;
    });
    end_fields(fields_, items_);
    return {range, std::move(items_)};
  }

  /// The name without its prefix; empty for elements of other vocabularies.
  std::string_view name(size_t element) const {
    const std::string_view whole = xml_.name(element);
    return whole.starts_with(prefix_) ? whole.substr(prefix_.size()) : std::string_view();
  }

 private:
  ByteRange range_of(size_t element) const { return office::range_of(xml_, element); }
  size_t child_of(size_t element, std::string_view wanted) const {
    size_t found = 0;
    for_children(xml_, element, [&](size_t child) {
      if (found == 0 && name(child) == wanted) found = child;
    });
    return found;
  }
  /// The value of an attribute with the usual prefix.
  std::string attribute(size_t element, std::string_view attribute_name) const {
    std::string whole = prefix_ + std::string(attribute_name);
    std::ranges::transform(whole, whole.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return std::string(xml_.attribute(element, whole));
  }

  Item& push(Item::Kind kind, ByteRange range) { return items_.emplace_back(Item{kind, range}); }

  /// A child of a paragraph, or of an element around runs.
  void add(size_t element) {
    const std::string_view kind = name(element);
    if (kind == "r") {
      add_run(element);
    } else if (kind == "fldSimple") {
      is_translated_field(attribute(element, "instr")) ? add_around(element, element)
                                                       : void(push(Item::Kind::kObject, range_of(element)));
    } else if (kind == "sdt") {
      const size_t content = child_of(element, "sdtContent"), properties = child_of(element, "sdtPr");
      const bool bound = properties != 0 && child_of(properties, "dataBinding") != 0;  // Word puts other text there
      if (bound || content == 0) return void(push(Item::Kind::kObject, range_of(element)));
      add_around(element, content);
    } else if (is_one_of(kind, {"hyperlink", "ins", "moveTo", "smartTag", "customXml", "dir", "bdo"})) {
      add_around(element, element);
    } else if (xml_.local_name(element) == "oMath") {
      push(Item::Kind::kObject, range_of(element));
    } else if (kind != "proofErr") {
      push(Item::Kind::kAlone, range_of(element)).pair = pair_of(element);
    }
  }

  /// The element becomes tags around the items of `content`, which is inside of it, or the same.
  void add_around(size_t element, size_t content) {
    const ByteRange whole = range_of(element);
    if (xml_.is_empty_tag(content)) return void(push(Item::Kind::kAlone, whole));
    const size_t pair = pairs_.next(), open = items_.size();
    push(Item::Kind::kOpen, {whole.begin, xml_.end_of_tag(content)}).pair = pair;
    ++depth_;
    for_children(xml_, content, [&](size_t child) {
      if (is_one_of(name(child), {"smartTagPr", "customXmlPr"})) {
        if (items_.size() == open + 1) items_[open].range.end = range_of(child).end;
      } else {
        add(child);
      }
    });
    --depth_;
    push(Item::Kind::kClose, {content_of(xml_, content).end, whole.end}).pair = pair;
  }

  /// The number of the pair to which one end of a bookmark or of the place of a comment belongs; 0 for all others.
  size_t pair_of(size_t element) {
    std::string_view kind = name(element);
    const bool begins = kind.ends_with("Start");
    if (!begins && !kind.ends_with("End")) return 0;
    kind.remove_suffix(begins ? 5 : 3);
    const std::string key = std::string(kind) + ' ' + attribute(element, "id");
    return begins ? pairs_.begin(key) : pairs_.end(key);
  }

  void add_run(size_t run) {
    if (const size_t base = base_of_ruby(run); base != 0) return add_around(run, base);
    const size_t properties = child_of(run, "rPr");
    const size_t format = properties == 0 ? formats_.number("", "") : format_of(properties);
    script_ = properties == 0 ? "" : script_of(properties);
    const size_t line = properties == 0 ? 0 : child_of(properties, "u");
    underlined_ = line != 0 && attribute(line, "val") != "none";
    for_children(xml_, run, [&](size_t child) {
      if (child != properties) add_in_run(child, format);
    });
  }
  /// The words of a run that has nothing but a <w:ruby>, as Word writes it; 0 for other runs.
  size_t base_of_ruby(size_t run) const {
    const size_t ruby = child_of(run, "ruby");
    size_t others = 0;
    for_children(xml_, run, [&](size_t child) { others += child == ruby || name(child) == "rPr" ? 0 : 1; });
    return ruby == 0 || others > 0 ? 0 : child_of(ruby, "rubyBase");
  }
  /// The element of HTML for text that is raised or lowered; empty for other text. Whole words of converted documents
  /// are moved by half-points, so a letter is no index there, as in <sup>.
  const char* script_of(size_t properties) const {
    const size_t kind = child_of(properties, "vertAlign"), place = child_of(properties, "position");
    const std::string script = kind == 0 ? "" : attribute(kind, "val");
    if (script == "subscript") return "sub";
    const std::string height = place == 0 ? "" : attribute(place, "val");
    const bool moved = height.find_first_of("123456789") != std::string::npos;
    return script == "superscript" ? "sup" : moved ? "moved" : "";
  }
  /// The languages and the spelling of a run cannot be seen.
  size_t format_of(size_t properties) {
    std::string key;
    for_children(xml_, properties, [&](size_t child) {
      if (!is_one_of(name(child), {"lang", "noProof"})) key += part_of(xml_.source, range_of(child));
    });
    return formats_.number(key, part_of(xml_.source, range_of(properties)));
  }

  void add_in_run(size_t element, size_t format) {
    const std::string_view kind = name(element);
    const size_t before = items_.size();
    if (kind == "t") {
      add_text(element);
    } else if (kind == "noBreakHyphen") {
      push(Item::Kind::kText, {}).text = kNoBreakHyphen;
    } else if (is_one_of(kind, {"tab", "ptab", "br", "cr"})) {
      push(depth_ == 0 ? Item::Kind::kBreak : Item::Kind::kAlone, range_of(element)).divides = depth_ > 0;
    } else if (is_one_of(kind, {"sym", "pgNum", "ruby"})) {
      push(Item::Kind::kObject, range_of(element));
    } else if (!is_one_of(kind, {"lastRenderedPageBreak", "softHyphen"})) {
      push(Item::Kind::kAlone, range_of(element));
    }
    if (items_.size() == before) return;
    items_.back().format = ends_word_ ? items_[before - 1].format : format;
    ends_word_ = false;
    if (kind == "instrText" && !fields_.empty()) fields_.back().code += text_of(xml_, element);
    if (kind == "fldChar") add_to_field(attribute(element, "fldchartype"));
  }
  void add_text(size_t element) {
    std::string text = text_of(xml_, element);
    if (is_symbols(text) || (underlined_ && is_blank(text))) return void(push(Item::Kind::kObject, range_of(element)));
    if (markup::is_sign_or_index(script_, text_before(), text)) {
      push(Item::Kind::kObject, range_of(element)).script = Item::script_of(script_);
      return;
    }
    std::ranges::replace_if(text, [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
    if (xml_.attribute(element, "xml:space") != "preserve") {
      text.erase(text.find_last_not_of(' ') + 1);
      text.erase(0, text.find_first_not_of(' '));
    }
    if (text.empty()) return;
    ends_word_ = *script_ != '\0' && markup::ends_word(text_before(), text);
    push(Item::Kind::kText, {}).text = std::move(text);
  }

  /// The text in front of the next item; empty if that is no text.
  std::string_view text_before() const {
    return items_.empty() || items_.back().kind != Item::Kind::kText ? std::string_view() : items_.back().text;
  }

  void add_to_field(const std::string& type) {
    if (type == "begin") {
      if (static_cast<int64_t>(fields_.size()) == markup::kDeepestNesting) {
        const std::string_view before = xml_.source.substr(0, items_.back().range.begin);
        markup::fail_nesting(1 + std::ranges::count(before, '\n'), "fields");
      }
      fields_.push_back({items_.size() - 1});
    } else if (type == "separate" && !fields_.empty()) {
      fields_.back().separator = items_.size() - 1;
    } else if (type == "end" && !fields_.empty()) {
      const Field field = std::move(fields_.back());
      fields_.pop_back();
      end_field(field, pairs_.next(), items_);
    }
  }

  const XmlDocument& xml_;
  const std::string prefix_;
  RunFormats& formats_;
  std::vector<Item> items_;
  std::vector<Field> fields_;  // that have no end yet
  PairNumbers pairs_;
  size_t depth_ = 0;
  const char* script_ = "";  // script_of() the run
  bool underlined_ = false;  // the run
  bool ends_word_ = false;   // the last text is raised, and the end of a word
};

}  // namespace

markup::MarkedDocument parse_docx_text(const std::string& document) {
  const XmlDocument xml = markup::read_xml(document);
  const std::string root(xml.elements.size() > 1 ? xml.name(1) : "");
  const std::string prefix = root.substr(0, root.find(':') + 1);
  const auto formats = std::make_shared<RunFormats>(prefix);
  DocxReader reader(xml, prefix, *formats);
  const auto writer = std::make_shared<ParagraphWriter>(document, formats);
  markup::MarkedDocument blocks;
  for (size_t element = 1; element < xml.elements.size(); ++element) {
    if (reader.name(element) == "p" && !xml.is_empty_tag(element)) writer->add(reader.read(element), blocks);
  }
  blocks.writer = writer;
  return blocks;
}

}  // namespace ventris::office
