#include "markup/xml_events.h"

#include <expat.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "core/error.h"
#include "markup/html_token.h"
#include "markup/markup.h"
#include "markup/parsing_limits.h"
#include "markup/xml_translation.h"

namespace ventris::markup {
namespace {

/// Collects what expat reports, in the order of the document.
class XmlReader {
 public:
  explicit XmlReader(const std::string& document)
      : parser_(XML_ParserCreate("UTF-8"), XML_ParserFree), limits_(document), translation_(document) {
    read_.source = document;
    read_.elements.emplace_back();
    XML_Parser parser = parser_.get();
    XML_SetUserData(parser, this);
    XML_SetElementHandler(
        parser,
        [](void* self, const XML_Char* name, const XML_Char** attributes) {
          guarded(self, [&](XmlReader& reader) { reader.open(name, attributes); });
        },
        [](void* self, const XML_Char*) { guarded(self, &XmlReader::close); });
    XML_SetCharacterDataHandler(parser, [](void* self, const XML_Char* text, int size) {
      guarded(self, [&](XmlReader& reader) { reader.add_text({text, static_cast<size_t>(size)}); });
    });
    XML_SetCdataSectionHandler(
        parser, [](void* self) { guarded(self, &XmlReader::begin_cdata); },
        [](void* self) { guarded(self, &XmlReader::end_cdata); });
    XML_SetDefaultHandler(parser, [](void* self, const XML_Char*, int) {
      guarded(self, [](XmlReader& reader) { reader.add(XmlEvent::Kind::kOther); });
    });
    if (XML_Parse(parser, document.data(), static_cast<int>(document.size()), XML_TRUE) == XML_STATUS_ERROR) {
      if (error_) std::rethrow_exception(error_);
      fail<MarkupError>("line ", XML_GetCurrentLineNumber(parser), ": not well-formed XML: ", error_text());
    }
  }

  XmlDocument finish() { return std::move(read_); }

 private:
  /// Keeps an exception until the parser, which is written in C, has returned.
  template <typename Work>
  static void guarded(void* self, const Work& work) noexcept {
    auto& reader = *static_cast<XmlReader*>(self);
    if (reader.error_) return;  // the parser reports a little more after it was stopped
    try {
      std::invoke(work, reader);
    } catch (...) {
      reader.error_ = std::current_exception();
      XML_StopParser(reader.parser_.get(), XML_FALSE);
    }
  }

  std::string error_text() const {
    const XML_Error code = XML_GetErrorCode(parser_.get());
    if (code != XML_ERROR_NO_ELEMENTS || path_.empty()) return XML_ErrorString(code);
    const ByteRange open = read_.elements[path_.back()].name;
    const auto line = std::ranges::count(read_.source.substr(0, open.begin), '\n') + 1;
    const std::string name(read_.source.substr(open.begin, open.end - open.begin));
    return "the file ends, but <" + name + "> of line " + std::to_string(line) + " is still open";
  }

  XmlEvent& add(XmlEvent::Kind kind) {
    const auto begin = static_cast<size_t>(XML_GetCurrentByteIndex(parser_.get()));
    limits_.count(begin);
    const auto size = static_cast<size_t>(XML_GetCurrentByteCount(parser_.get()));
    return read_.events.emplace_back(XmlEvent{kind, {begin, begin + size}, {}, path_.empty() ? 0 : path_.back()});
  }
  void open(std::string_view name, const char* const* attributes) {
    const size_t parent = path_.empty() ? 0 : path_.back(), number = read_.elements.size();
    path_.push_back(number);
    if (static_cast<int64_t>(path_.size()) > kDeepestNesting) {
      fail_nesting(static_cast<int64_t>(XML_GetCurrentLineNumber(parser_.get())), "tags");
    }
    XmlElement element{parent};
    element.begin = element.end = read_.events.size();
    element.translated = translation_.of(name, attributes).value_or(read_.elements[parent].translated);
    element.keeps_lines = translation_.keeps_lines(name, attributes).value_or(read_.elements[parent].keeps_lines);
    const size_t begin = add(XmlEvent::Kind::kOpen).range.begin + 1;
    element.name = {begin, begin + name.size()};
    read_.elements.push_back(element);
    if (!element.translated) return;
    for (size_t above = parent; !read_.elements[above].translated; above = read_.elements[above].parent) {
      if (std::exchange(read_.elements[above].translates_inside, true)) break;
    }
  }
  void close() {
    XmlElement& element = read_.elements[path_.back()];
    element.end = read_.events.size();
    if (element.translated && translation_.keeps(text_of(element))) element.translated = false;
    add(XmlEvent::Kind::kClose);
    path_.pop_back();
  }
  /// The text of an element that has nothing else, otherwise nothing.
  std::string text_of(const XmlElement& element) const {
    std::string text;
    for (size_t i = element.begin + 1; i < element.end; ++i) {
      if (read_.events[i].kind != XmlEvent::Kind::kText) return {};
      text += read_.events[i].text;
    }
    return text;
  }
  void begin_cdata() {
    add(XmlEvent::Kind::kOther);
    in_cdata_ = true;
  }
  /// The section is one event.
  void end_cdata() {
    in_cdata_ = false;
    const size_t end = add(XmlEvent::Kind::kOther).range.end;
    read_.events.pop_back();
    read_.events.back().range.end = end;
  }
  void add_text(std::string_view added) {
    if (in_cdata_) return;
    add(XmlEvent::Kind::kText).text = added;
    if (added.find_first_not_of(" \t\r\n") != std::string_view::npos) read_.elements[path_.back()].has_text = true;
  }

  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> parser_;
  ParsingLimits limits_;
  std::exception_ptr error_;
  XmlDocument read_;
  XmlTranslation translation_;
  std::vector<size_t> path_;
  bool in_cdata_ = false;
};

}  // namespace

std::string_view XmlDocument::name(size_t element) const {
  const ByteRange range = elements[element].name;
  return source.substr(range.begin, range.end - range.begin);
}

std::string_view XmlDocument::local_name(size_t element) const { return local_part(name(element)); }

HtmlToken XmlDocument::tag(size_t element) const {
  const ByteRange range = events[elements[element].begin].range;
  return {HtmlToken::Kind::kStartTag, range, std::string(name(element))};
}

std::string_view XmlDocument::attribute(size_t element, std::string_view name) const {
  const auto value = markup::attribute(source, tag(element), name);
  return value ? source.substr(value->begin, value->end - value->begin) : std::string_view();
}

bool XmlDocument::is_empty_tag(size_t element) const { return source.substr(0, end_of_tag(element)).ends_with("/>"); }

XmlDocument read_xml(const std::string& source) { return XmlReader(source).finish(); }

}  // namespace ventris::markup
