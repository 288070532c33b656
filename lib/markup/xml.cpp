#include "markup/xml.h"

#include <expat.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "core/error.h"
#include "markup/block_builder.h"

namespace ventris::markup {
namespace {

/// A part of the source, and how deep it is.
struct Event {
  enum class Kind { kText, kOpen, kClose, kOther };
  Kind kind = Kind::kOther;
  ByteRange range = {};
  std::string text = {};  // of kText, without entities
  size_t element = 0;     // that is opened or closed
};

struct Element {
  size_t parent = 0;
  bool has_text = false;  // of its own
};

/// Collects what expat reports, in the order of the document.
class Events {
 public:
  explicit Events(const std::string& document) : parser_(XML_ParserCreate("UTF-8"), XML_ParserFree) {
    XML_Parser parser = parser_.get();
    XML_SetUserData(parser, this);
    XML_SetElementHandler(
        parser, [](void* self, const XML_Char*, const XML_Char**) { static_cast<Events*>(self)->open(); },
        [](void* self, const XML_Char*) { static_cast<Events*>(self)->close(); });
    XML_SetCharacterDataHandler(
        parser, [](void* self, const XML_Char* text, int size) { static_cast<Events*>(self)->add_text(text, size); });
    XML_SetCdataSectionHandler(
        parser, [](void* self) { static_cast<Events*>(self)->begin_cdata(); },
        [](void* self) { static_cast<Events*>(self)->end_cdata(); });
    XML_SetDefaultHandler(
        parser, [](void* self, const XML_Char*, int) { static_cast<Events*>(self)->add(Event::Kind::kOther); });
    if (XML_Parse(parser, document.data(), static_cast<int>(document.size()), XML_TRUE) == XML_STATUS_ERROR) {
      const auto line = XML_GetCurrentLineNumber(parser);
      if (XML_GetErrorCode(parser) == XML_ERROR_ABORTED) {
        fail_nesting(static_cast<int64_t>(line), "tags");
      }
      fail<MarkupError>("line ", line, ": not well-formed XML: ", XML_ErrorString(XML_GetErrorCode(parser)));
    }
  }

  const std::vector<Event>& all() const { return events_; }
  bool is_inline(size_t element) const { return element != 0 && elements_[elements_[element].parent].has_text; }

 private:
  Event& add(Event::Kind kind) {
    const auto begin = static_cast<size_t>(XML_GetCurrentByteIndex(parser_.get()));
    const auto size = static_cast<size_t>(XML_GetCurrentByteCount(parser_.get()));
    return events_.emplace_back(Event{kind, {begin, begin + size}, {}, path_.empty() ? 0 : path_.back()});
  }
  void open() {
    elements_.push_back({path_.empty() ? 0 : path_.back(), false});
    path_.push_back(elements_.size() - 1);
    if (static_cast<int64_t>(path_.size()) > kDeepestNesting) XML_StopParser(parser_.get(), XML_FALSE);
    add(Event::Kind::kOpen);
  }
  void close() {
    add(Event::Kind::kClose);
    path_.pop_back();
  }
  void begin_cdata() {
    add(Event::Kind::kOther);
    in_cdata_ = true;
  }
  void end_cdata() {
    add(Event::Kind::kOther);
    in_cdata_ = false;
  }
  void add_text(const char* text, int size) {
    if (in_cdata_) {
      add(Event::Kind::kOther);
      return;
    }
    const std::string_view added(text, static_cast<size_t>(size));
    add(Event::Kind::kText).text = added;
    if (added.find_first_not_of(" \t\r\n") != std::string_view::npos) elements_[path_.back()].has_text = true;
  }

  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  std::vector<Event> events_;
  std::vector<Element> elements_{{}};  // the first stands for none
  std::vector<size_t> path_;
  bool in_cdata_ = false;
};

}  // namespace

MarkedDocument parse_xml(const std::string& document) {
  const Events events(document);
  std::vector<Part> parts;
  const std::string_view source = document;
  size_t done = 0;
  for (const Event& event : events.all()) {
    // The second event of an empty element has no bytes of its own.
    const size_t begin = std::max(done, event.range.begin);
    const ByteRange range{begin, std::max(begin, event.range.end)};
    const std::string_view raw = source.substr(begin, range.end - begin);
    done = range.end;
    if (event.kind == Event::Kind::kText) {
      parts.push_back({range, Part::Kind::kText, Mark::Kind::kAlone, event.text});
    } else if (event.kind == Event::Kind::kOther && raw.starts_with('&')) {
      parts.push_back({range, Part::Kind::kHidden});  // an entity of the document
    } else if (event.kind == Event::Kind::kOther ? !raw.starts_with("<!--") : !events.is_inline(event.element)) {
      parts.push_back({range, Part::Kind::kKept});
    } else if (!raw.empty()) {
      const Mark::Kind side = event.kind == Event::Kind::kClose ? Mark::Kind::kClose : Mark::Kind::kOpen;
      const bool single = event.kind == Event::Kind::kOther || raw.ends_with("/>");
      parts.push_back({range, Part::Kind::kMark, single ? Mark::Kind::kAlone : side});
    }
  }
  return in_blocks(document, parts);
}

}  // namespace ventris::markup
