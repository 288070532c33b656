#include "markup/xliff.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/error.h"
#include "markup/angular_names.h"
#include "markup/attribute_texts.h"
#include "markup/block_builder.h"
#include "markup/characters.h"
#include "markup/html.h"
#include "markup/html_token.h"
#include "markup/xml_parts.h"

namespace ventris::markup {
namespace {

using XmlKind = XmlEvent::Kind;

bool is_name(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

/// In a source, elements stand for the markup of the original document. Segments of <seg-source> are blocks, and so is
/// what stands for a line break or the tags of a block of HTML.
class XliffRoles : public XmlRoles {
 public:
  explicit XliffRoles(const XmlDocument& xml) : xml_(xml) {}

  XmlRole of(size_t element) const override {
    const std::string_view name = xml_.local_name(element);
    if (is_block(element)) return XmlRole::kBlock;
    if (id_begins(element, kAngularStart)) return XmlRole::kOpens;
    if (id_begins(element, kAngularEnd)) return XmlRole::kCloses;
    if (is_name(name, {"x", "ph", "it", "ut", "cp"}) || (name == "pc" && hides(element))) return XmlRole::kHidden;
    if (is_name(name, {"bpt", "bx", "sc"})) return XmlRole::kOpens;
    if (is_name(name, {"ept", "ex", "ec"})) return XmlRole::kCloses;
    if (is_name(name, {"sm", "em"})) return XmlRole::kAlone;
    return name == "mrk" && xml_.attribute(element, "mtype") == "seg" ? XmlRole::kBlock : XmlRole::kInline;
  }
  std::string_view pair(size_t element) const override {
    for (const std::string_view begin : {kAngularStart, kAngularEnd}) {
      if (!id_begins(element, begin)) continue;
      return angular_name(xml_.attribute(element, "id"));  // CLOSE_LINK closes START_LINK_1
    }
    for (const char* name : {"startref", "rid", "id"}) {
      const std::string_view value = xml_.attribute(element, name);
      if (!value.empty()) return value;
    }
    return {};
  }
  bool are_messages() const override { return true; }
  bool hides(size_t first_half) const override {
    const bool second = xml_.local_name(first_half) == "pc";
    const std::string_view name = angular_name(xml_.attribute(first_half, second ? "equivstart" : "id"));
    const std::string tag = decode_entities(xml_.attribute(first_half, second ? "dispstart" : "equiv-text"));
    return is_angular_code(name) || (tag.starts_with('<') && html_token(tag, 0).untranslated);
  }

 private:
  bool id_begins(size_t element, std::string_view begin) const {
    return xml_.local_name(element) == "x" && xml_.attribute(element, "id").starts_with(begin);
  }
  /// Code of the original document in a <ph> stays, so that such a <ph> divides nothing.
  bool is_block(size_t element) const {
    const std::string_view name = xml_.local_name(element);
    if (name == "pc") return is_angular_block(xml_.attribute(element, "equivstart"));
    if (!is_name(name, {"x", "ph"}) || !xml_.is_empty_tag(element)) return false;
    const bool line_break = xml_.attribute(element, "ctype") == "lb" || xml_.attribute(element, "subtype") == "xlf:lb";
    return line_break || is_angular_block(xml_.attribute(element, name == "x" ? "id" : "equiv"));
  }

  const XmlDocument& xml_;
};

/// What is translated together.
struct Unit {
  size_t source = 0, target = 0;  // elements; no target: 0
  size_t behind = 0;              // the element behind which a target is added
};

/// Writes sources into targets.
class XliffWriter {
 public:
  XliffWriter(const XmlDocument& xml, Edits edits) : xml_(xml), roles_(xml), edits_(std::move(edits)) {}

  MarkedDocument write() {
    for (size_t element = 1; element < xml_.elements.size(); ++element) {
      const std::string_view parent = xml_.local_name(xml_.elements[element].parent);
      if (xml_.local_name(element) != "source" || !is_name(parent, {"trans-unit", "segment"})) continue;
      const Unit unit = unit_of(element);
      if (is_open(unit)) add(unit);
    }
    keep_until(xml_.source.size());
    return builder_.finish();
  }

 private:
  /// The elements that follow a source: <seg-source>, then <target>.
  Unit unit_of(size_t source) const {
    Unit unit{source, 0, source};
    const size_t end = xml_.elements[xml_.elements[source].parent].end;
    for (size_t i = xml_.elements[source].end + 1; i < end; ++i) {
      if (xml_.events[i].kind != XmlKind::kOpen) continue;
      const size_t element = xml_.events[i].element;
      const std::string_view name = xml_.local_name(element);
      if (name == "target") unit.target = element;
      if (name != "seg-source") break;
      unit.source = unit.behind = element;
      i = xml_.elements[element].end;
    }
    return unit;
  }

  /// Whether the target is to be translated.
  bool is_open(const Unit& unit) const {
    const size_t parent = xml_.elements[unit.source].parent;
    if (!xml_.elements[unit.source].translated || xml_.attribute(parent, "approved") == "yes") return false;
    if (unit.target == 0) return true;
    const bool in_unit = xml_.local_name(parent) == "trans-unit";  // the state of a segment is its own
    const std::string_view state = xml_.attribute(in_unit ? unit.target : parent, "state");
    if (is_name(state, {"new", "needs-translation", "initial"})) return true;
    if (!state.empty() && is_done(state)) return false;
    return is_blank(unit.target) || content(unit.target) == content(unit.source);
  }
  /// Whether it has nothing but white space and tags, such as those of segments that are not translated yet.
  bool is_blank(size_t element) const {
    const auto first = xml_.events.begin() + static_cast<std::ptrdiff_t>(xml_.elements[element].begin);
    const auto last = xml_.events.begin() + static_cast<std::ptrdiff_t>(xml_.elements[element].end);
    return std::all_of(first, last, [&](const XmlEvent& event) {
      const std::string_view raw = xml_.source.substr(event.range.begin, event.range.end - event.range.begin);
      const bool tag = event.kind == XmlKind::kOpen || event.kind == XmlKind::kClose || raw.starts_with("<!--") ||
                       raw == "<![CDATA[]]>" || raw == "<![CDATA[" || raw == "]]>";
      return tag || raw.find_first_not_of(" \t\r\n") == std::string_view::npos;
    });
  }
  static bool is_done(std::string_view state) {
    return is_name(state, {"translated", "signed-off", "final", "reviewed"});
  }

  ByteRange content_range(size_t element) const {
    const size_t begin = xml_.end_of_tag(element);
    if (xml_.is_empty_tag(element)) return {begin, begin};
    return {begin, xml_.events[xml_.elements[element].end].range.begin};
  }
  std::string_view content(size_t element) const {
    const ByteRange range = content_range(element);
    return xml_.source.substr(range.begin, range.end - range.begin);
  }

  void keep_until(size_t end) {
    builder_.add(xml_.source, {{done_, end}, Part::Kind::kKept}, edits_);
    done_ = end;
  }

  /// Whether the source is more than white space and CDATA sections without text.
  bool has_text(size_t source, const std::vector<Part>& parts) const {
    if (content(source).find_first_not_of(" \t\r\n") == std::string_view::npos) return false;
    const bool text = std::ranges::any_of(parts, [](const Part& part) { return has_letters(part.text); });
    return text || content(source).find("<![CDATA[") == std::string_view::npos;
  }

  void add(const Unit& unit) {
    const XmlElement& element = xml_.elements[unit.source];
    const std::vector<Part> parts = xml_parts(xml_, roles_, element.begin + 1, element.end);
    if (!has_text(unit.source, parts)) return;
    const ByteRange source = content_range(unit.source);
    keep_until(source.begin);
    const int64_t line = builder_.line();
    const std::string end = begin_target(unit);
    const int64_t next = builder_.line() + dropped_lines_;
    builder_.set_line(line);
    for (const Part& part : parts) builder_.add(xml_.source, part, edits_);
    builder_.add_kept(end);
    builder_.set_line(next);
  }

  /// Writes everything up to the content of the target, and leaves that out. Returns the end tag, if it is added.
  std::string begin_target(const Unit& unit) {
    const std::string_view source = xml_.name(unit.behind);
    const std::string name = std::string(source.substr(0, source.find(':') + 1)) + "target";
    dropped_lines_ = 0;
    if (unit.target == 0) {
      keep_until(xml_.events[xml_.elements[unit.behind].end].range.end);
      const int64_t line = builder_.line();
      builder_.add_kept(space_before(unit.behind) + "<" + name + ">");
      builder_.set_line(line);
      return "</" + name + ">";
    }
    if (xml_.is_empty_tag(unit.target)) {
      keep_until(xml_.end_of_tag(unit.target) - 2);
      done_ += 2;
      builder_.add_kept(">");
      return "</" + std::string(xml_.name(unit.target)) + ">";
    }
    const ByteRange target = content_range(unit.target);
    keep_until(target.begin);
    done_ = target.end;
    dropped_lines_ = std::ranges::count(content(unit.target), '\n');
    return "";
  }
  /// The white space in front of an element.
  std::string space_before(size_t element) const {
    const size_t end = xml_.events[xml_.elements[element].begin].range.begin;
    size_t begin = end;
    while (begin > 0 && std::string_view(" \t\r\n").find(xml_.source[begin - 1]) != std::string_view::npos) --begin;
    return std::string(xml_.source.substr(begin, end - begin));
  }

  const XmlDocument& xml_;
  const XliffRoles roles_;
  const Edits edits_;
  BlockBuilder builder_;
  size_t done_ = 0;
  int64_t dropped_lines_ = 0;  // of the content of a target
};

/// Writes the language of the targets into the elements that name it: <file> in version 1, <xliff> in version 2.
Edits with_target_language(const XmlDocument& xml, const std::string& language) {
  Edits edits;
  const bool second = xml.attribute(1, "version").starts_with('2');
  for (size_t element = 1; element < xml.elements.size() && !language.empty(); ++element) {
    if (second ? element > 1 : xml.local_name(element) != "file") continue;
    set_attribute(xml.source, xml.tag(element), second ? "trgLang" : "target-language", language, edits);
  }
  return edits;
}

}  // namespace

bool is_xliff(const XmlDocument& xml) { return xml.elements.size() > 1 && xml.local_name(1) == "xliff"; }

MarkedDocument parse_xliff(const XmlDocument& xml, const DocumentChanges& changes) {
  return XliffWriter(xml, with_target_language(xml, changes.language)).write();
}

}  // namespace ventris::markup
