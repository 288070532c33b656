#include "markup/xml.h"

#include <expat.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include "core/error.h"
#include "markup/block_builder.h"
#include "markup/parsing_limits.h"

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
  explicit Events(const std::string& document) : parser_(XML_ParserCreate("UTF-8"), XML_ParserFree), limits_(document) {
    XML_Parser parser = parser_.get();
    XML_SetUserData(parser, this);
    XML_SetElementHandler(
        parser, [](void* self, const XML_Char*, const XML_Char**) { guarded(self, &Events::open); },
        [](void* self, const XML_Char*) { guarded(self, &Events::close); });
    XML_SetCharacterDataHandler(parser, [](void* self, const XML_Char* text, int size) {
      guarded(self, [&](Events& events) { events.add_text({text, static_cast<size_t>(size)}); });
    });
    XML_SetCdataSectionHandler(
        parser, [](void* self) { guarded(self, &Events::begin_cdata); },
        [](void* self) { guarded(self, &Events::end_cdata); });
    XML_SetDefaultHandler(parser, [](void* self, const XML_Char*, int) {
      guarded(self, [](Events& events) { events.add(Event::Kind::kOther); });
    });
    if (XML_Parse(parser, document.data(), static_cast<int>(document.size()), XML_TRUE) == XML_STATUS_ERROR) {
      if (error_) std::rethrow_exception(error_);
      fail<MarkupError>("line ", XML_GetCurrentLineNumber(parser),
                        ": not well-formed XML: ", XML_ErrorString(XML_GetErrorCode(parser)));
    }
  }

  const std::vector<Event>& all() const { return events_; }
  bool is_inline(size_t element) const { return element != 0 && elements_[elements_[element].parent].has_text; }

 private:
  /// Keeps an exception until the parser, which is written in C, has returned.
  template <typename Work>
  static void guarded(void* self, const Work& work) noexcept {
    auto& events = *static_cast<Events*>(self);
    if (events.error_) return;  // the parser reports a little more after it was stopped
    try {
      std::invoke(work, events);
    } catch (...) {
      events.error_ = std::current_exception();
      XML_StopParser(events.parser_.get(), XML_FALSE);
    }
  }

  Event& add(Event::Kind kind) {
    const auto begin = static_cast<size_t>(XML_GetCurrentByteIndex(parser_.get()));
    limits_.count(begin);
    const auto size = static_cast<size_t>(XML_GetCurrentByteCount(parser_.get()));
    return events_.emplace_back(Event{kind, {begin, begin + size}, {}, path_.empty() ? 0 : path_.back()});
  }
  void open() {
    elements_.push_back({path_.empty() ? 0 : path_.back(), false});
    path_.push_back(elements_.size() - 1);
    if (static_cast<int64_t>(path_.size()) > kDeepestNesting) {
      fail_nesting(static_cast<int64_t>(XML_GetCurrentLineNumber(parser_.get())), "tags");
    }
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
  void add_text(std::string_view added) {
    if (in_cdata_) {
      add(Event::Kind::kOther);
      return;
    }
    add(Event::Kind::kText).text = added;
    if (added.find_first_not_of(" \t\r\n") != std::string_view::npos) elements_[path_.back()].has_text = true;
  }

  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  ParsingLimits limits_;
  std::exception_ptr error_;
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
