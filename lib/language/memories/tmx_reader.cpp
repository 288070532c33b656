#include "memories/tmx_reader.h"

#include <expat.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/printable.h"
#include "text/valid_utf8.h"

namespace ventris::memories {
namespace {

constexpr size_t kLongestSegment = 1 << 21;  // what is longer is cut when it is read as a line
constexpr size_t kMostLanguages = 40;
constexpr int64_t kUnitsToList = 10'000;

bool is_code(std::string_view name) {
  constexpr std::array<std::string_view, 6> kCodes{"bpt", "ept", "it", "ph", "ut", "sub"};
  return std::ranges::find(kCodes, name) != kCodes.end();
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// The value of the first of these attributes.
std::string attribute(const char* const* attributes, std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    for (const char* const* at = attributes; *at != nullptr; at += 2) {
      if (at[0] == name) return at[1];
    }
  }
  return "";
}

}  // namespace

struct TmxReader::Parser {
  std::unique_ptr<XML_ParserStruct, void (*)(XML_Parser)> expat{XML_ParserCreate(nullptr), XML_ParserFree};

  /// Keeps an exception until the parser has returned.
  template <typename Work>
  static void guarded(void* self, const Work& work) noexcept {
    auto& reader = *static_cast<TmxReader*>(self);
    if (reader.error_) return;
    try {
      work(reader);
    } catch (...) {
      reader.error_ = std::current_exception();
      XML_StopParser(reader.parser_->expat.get(), XML_FALSE);
    }
  }
};

TmxReader::TmxReader(const std::string& path, MemoryLanguages languages)
    : path_(path),
      languages_(std::move(languages)),
      bytes_(text::open_bytes(path)),
      parser_(std::make_unique<Parser>()) {
  XML_Parser expat = parser_->expat.get();
  XML_SetUserData(expat, this);
  XML_SetElementHandler(
      expat,
      [](void* self, const XML_Char* name, const XML_Char** attributes) {
        Parser::guarded(self, [&](TmxReader& reader) { reader.open(name, attributes); });
      },
      [](void* self, const XML_Char* name) { Parser::guarded(self, [&](TmxReader& reader) { reader.close(name); }); });
  XML_SetCharacterDataHandler(expat, [](void* self, const XML_Char* text, int size) {
    Parser::guarded(self, [&](TmxReader& reader) { reader.add_text({text, static_cast<size_t>(size)}); });
  });
  // Of a document type that is not read, such as &nbsp;. The words around it must not become one.
  XML_SetSkippedEntityHandler(expat, [](void* self, const XML_Char* /*name*/, int /*is_parameter*/) {
    Parser::guarded(self, [](TmxReader& reader) { reader.add_text(" "); });
  });
}
TmxReader::~TmxReader() = default;

std::string_view TmxReader::next_block() {
  lines_.clear();
  while (lines_.empty() && !done_) {
    const std::string_view block = bytes_->next_block();
    done_ = block.empty();
    parse(block);
  }
  if (done_ && lines_.empty()) check_found();
  return lines_;
}

void TmxReader::parse(std::string_view block) {
  XML_Parser expat = parser_->expat.get();
  const auto size = static_cast<int>(block.size());
  if (XML_Parse(expat, block.data(), size, done_ ? XML_TRUE : XML_FALSE) != XML_STATUS_ERROR) return;
  if (error_) std::rethrow_exception(error_);
  fail<DataError>(path_, ":", XML_GetCurrentLineNumber(expat),
                  ": not well-formed XML: ", XML_ErrorString(XML_GetErrorCode(expat)));
}

void TmxReader::open(std::string_view name, const char* const* attributes) {
  if (!std::exchange(begun_, true) && name != "tmx") {
    fail<DataError>(path_, ":", XML_GetCurrentLineNumber(parser_->expat.get()), ": expected <tmx>, found <", name,
                    ">; is it a translation memory?");
  }
  if (name == "tu") {
    ++counts_.units;
    source_match_ = target_match_ = 0;
  } else if (name == "tuv") {
    begin_variant(attributes);
  } else if (name == "seg") {
    in_segment_ = true;
    codes_ = 0;
    segment_.clear();
  } else if (is_code(name)) {
    ++codes_;
  }
}

void TmxReader::close(std::string_view name) {
  if (name == "seg") {
    in_segment_ = false;
    end_variant();
  } else if (name == "tu") {
    end_unit();
  } else if (is_code(name)) {
    --codes_;
  }
}

void TmxReader::add_text(std::string_view text) {
  if (!in_segment_ || codes_ > 0) return;
  for (const char c : text) {
    if (segment_.size() >= kLongestSegment) return;
    if (!is_space(c)) {
      segment_ += c;
    } else if (!segment_.empty() && segment_.back() != ' ') {
      segment_ += ' ';
    }
  }
}

void TmxReader::begin_variant(const char* const* attributes) {
  language_ = attribute(attributes, {"xml:lang", "lang"});
  note_language(language_);
}

void TmxReader::note_language(const std::string& language) {
  constexpr size_t kLongest = 40;  // bytes that a message shows
  if (language.empty() || found_.size() >= kMostLanguages) return;
  found_.insert(core::printable(text::cut_utf8(language, kLongest)));
}

void TmxReader::end_variant() {
  if (segment_.ends_with(' ')) segment_.pop_back();
  if (segment_.empty()) return;
  const int source = language_match(languages_.source, language_);
  const int target = language_match(languages_.target, language_);
  if (source > source_match_) {
    source_match_ = source;
    source_ = segment_;
  }
  if (target > target_match_) {
    target_match_ = target;
    target_ = segment_;
  }
}

void TmxReader::end_unit() {
  const bool told = !languages_.source.empty();
  if (!told && counts_.units == kUnitsToList) check_found();
  if (!told || source_match_ == 0 || target_match_ == 0) return;
  ++counts_.pairs;
  lines_ += source_;
  lines_ += '\t';
  lines_ += target_;
  lines_ += '\n';
}

std::string TmxReader::list_of_languages() const {
  std::string list;
  for (const std::string& language : found_) list += (list.empty() ? "" : ", ") + language;
  return list.empty() ? "none" : list;
}

void TmxReader::check_found() const {
  if (languages_.source.empty()) {
    fail<DataError>(path_, ": the languages of a translation memory must be given, as in ", path_,
                    ":en:de; it has: ", list_of_languages());
  }
  if (counts_.pairs > 0) return;
  fail<DataError>(path_, ": none of its ", counts_.units, " units has a text in both ", languages_.source, " and ",
                  languages_.target, "; its languages: ", list_of_languages());
}

}  // namespace ventris::memories
