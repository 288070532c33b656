#include "markup/encoding.h"

#include <unicode/ucnv.h>
#include <unicode/ucnv_cb.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/ascii.h"
#include "markup/html_token.h"
#include "text/valid_utf8.h"

namespace ventris::markup {
namespace {

constexpr size_t kLongestHead = 1 << 16;  // bytes in which a declaration is looked for
constexpr std::string_view kWhiteSpace = " \t\r\n\f";

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseConverter>;

/// The value that follows a name and "=" from this byte on, with or without quotation marks.
std::optional<ByteRange> value_of(std::string_view text, std::string_view name, size_t at) {
  for (at = text.find(name, at); at != std::string_view::npos; at = text.find(name, at + 1)) {
    size_t begin = text.find_first_not_of(kWhiteSpace, at + name.size());
    if (begin == std::string_view::npos || text[begin] != '=') continue;
    begin = text.find_first_not_of(kWhiteSpace, begin + 1);
    if (begin == std::string_view::npos) return {};
    const bool quoted = text[begin] == '"' || text[begin] == '\'';
    const size_t first = begin + (quoted ? 1 : 0);
    const size_t end = quoted ? text.find(text[begin], first) : text.find_first_of(" \t\r\n\f;\"'/>", first);
    return ByteRange{first, std::min(end, text.size())};
  }
  return {};
}

/// Of <meta charset="..."> and <meta http-equiv="content-type" content="text/html; charset=...">. `head`: in small
/// letters.
std::optional<ByteRange> encoding_of_meta(std::string_view head, const HtmlToken& meta) {
  const auto text_of = [&](const std::optional<ByteRange>& range) {
    return range ? head.substr(range->begin, range->end - range->begin) : std::string_view();
  };
  std::optional<ByteRange> value = attribute(head, meta, "charset");
  const std::optional<ByteRange> content = attribute(head, meta, "content");
  if (!value && content && text_of(attribute(head, meta, "http-equiv")) == "content-type") {
    value = value_of(head.substr(0, content->end), "charset", content->begin);
  }
  const bool known = !text_of(value).empty() && text_of(value).find('{') == std::string_view::npos;  // no template
  return known ? value : std::nullopt;
}

/// Where a document says in which encoding it is.
std::vector<ByteRange> declarations(std::string_view document, Markup markup) {
  std::vector<ByteRange> found;
  const std::string head = core::in_lower_case(document.substr(0, kLongestHead));
  if (head.starts_with("<?xml")) {
    const std::string_view declaration = std::string_view(head).substr(0, std::min(head.find('>'), head.size()));
    if (const auto value = value_of(declaration, "encoding", 0)) found.push_back(*value);
  }
  if (markup != Markup::kHtml) return found;
  for (size_t at = 0; at < head.size();) {
    const HtmlToken token = html_token(head, at);
    at = token.range.end;
    if (token.kind != HtmlToken::Kind::kStartTag) continue;
    if (token.name == "body") break;
    at = end_of_raw_text(head, at, token.name);
    if (token.name != "meta") continue;
    if (const auto value = encoding_of_meta(head, token)) found.push_back(*value);
  }
  return found;
}

/// As browsers understand a name: with the characters that are usually meant.
std::string usual_name(std::string_view declared) {
  constexpr std::array<std::array<std::string_view, 2>, 12> kUsual{{{"iso-8859-1", "windows-1252"},
                                                                    {"iso8859-1", "windows-1252"},
                                                                    {"latin1", "windows-1252"},
                                                                    {"us-ascii", "windows-1252"},
                                                                    {"ascii", "windows-1252"},
                                                                    {"iso-8859-9", "windows-1254"},
                                                                    {"gb2312", "gb18030"},
                                                                    {"gbk", "gb18030"},
                                                                    {"shift_jis", "windows-31j"},
                                                                    {"euc-kr", "windows-949"},
                                                                    {"utf8", "utf-8"},
                                                                    {"unicode-1-1-utf-8", "utf-8"}}};
  const std::string name = core::in_lower_case(declared);
  const auto* const found = std::ranges::find(kUsual, name, [](const auto& pair) { return pair[0]; });
  return found == kUsual.end() ? name : std::string((*found)[1]);
}

/// Where bytes are that an encoding does not have.
struct IllFormed {
  const char* begin = nullptr;
  std::vector<size_t> places = {};

  /// Replaces them by U+FFFD, as ICU calls it.
  static void replace(const void* self, UConverterToUnicodeArgs* args, const char* /*bytes*/, int32_t /*size*/,
                      UConverterCallbackReason reason, UErrorCode* error) {
    if (reason > UCNV_IRREGULAR) return;
    auto& found = *static_cast<IllFormed*>(const_cast<void*>(self));
    found.places.push_back(static_cast<size_t>(args->source - found.begin));
    constexpr char16_t kReplacement = 0xFFFD;  // the converter would write U+001A for a single byte
    *error = U_ZERO_ERROR;
    ucnv_cbToUWriteUChars(args, &kReplacement, 1, 0, error);
  }
};

std::string converted(std::string_view bytes, UConverter* converter, IllFormed* found = nullptr) {
  UErrorCode error = U_ZERO_ERROR;
  if (found != nullptr) {
    found->begin = bytes.data();
    ucnv_setToUCallBack(converter, IllFormed::replace, found, nullptr, nullptr, &error);
  }
  const icu::UnicodeString text(bytes.data(), static_cast<int32_t>(bytes.size()), converter, error);
  if (U_FAILURE(error) != 0) throw std::bad_alloc();  // ill-formed bytes are no failure
  std::string utf8;
  text.toUTF8String(utf8);
  return utf8;
}

/// The lines of these places.
core::FirstLines lines_of(std::string_view bytes, UConverter* converter, const std::vector<size_t>& places) {
  core::FirstLines lines;
  UErrorCode error = U_ZERO_ERROR;
  ucnv_setToUCallBack(converter, UCNV_TO_U_CALLBACK_SUBSTITUTE, nullptr, nullptr, nullptr, &error);
  int64_t line = 1;
  size_t done = 0;
  for (const size_t place : places) {
    const std::string before = converted(bytes.substr(done, place - done), converter);
    line += std::ranges::count(before, '\n');
    lines.add(line);
    done = place;
  }
  return lines;
}

/// For a declared encoding: null if it is not known, or if its letters could become tags, so that browsers do not read
/// it, or if nobody could have read the declaration in it.
Converter open_declared(const std::string& name) {
  UErrorCode error = U_ZERO_ERROR;
  Converter converter(ucnv_open(name.c_str(), &error));
  if (U_FAILURE(error) != 0) return nullptr;
  const UConverterType type = ucnv_getType(converter.get());
  const bool refused = type == UCNV_UTF7 || type == UCNV_IMAP_MAILBOX || type == UCNV_HZ || type == UCNV_SCSU ||
                       type == UCNV_BOCU1 || type == UCNV_CESU8 || (type == UCNV_ISO_2022 && name != "iso-2022-jp");
  const std::string signs = "<a b='c'>&\"";
  return refused || converted(signs, converter.get()) != signs ? nullptr : std::move(converter);
}

/// The encoding of a byte-order mark, or of the zeros in "<" in UTF-16; "" if there is neither. `size`: of the mark.
std::string marked_encoding(std::string_view bytes, size_t& size) {
  using namespace std::string_view_literals;
  struct Sign {
    std::string_view bytes, encoding;
    size_t size;
  };
  static constexpr std::array<Sign, 7> kSigns{{{"\xEF\xBB\xBF"sv, "utf-8", 3},
                                               {"\xFF\xFE\0\0"sv, "utf-32le", 4},
                                               {"\0\0\xFE\xFF"sv, "utf-32be", 4},
                                               {"\xFF\xFE"sv, "utf-16le", 2},
                                               {"\xFE\xFF"sv, "utf-16be", 2},
                                               {"<\0?\0"sv, "utf-16le", 0},
                                               {"\0<\0?"sv, "utf-16be", 0}}};
  const auto* const sign = std::ranges::find_if(kSigns, [&](const Sign& one) { return bytes.starts_with(one.bytes); });
  size = sign == kSigns.end() ? 0 : sign->size;
  return sign == kSigns.end() ? "" : std::string(sign->encoding);
}

/// Nothing but ASCII, and no escape sequence that could mean something else.
bool is_plain_ascii(std::string_view bytes) {
  return core::is_ascii(bytes) && bytes.find('\x1B') == std::string_view::npos;
}

/// Whether it is a whole page, and no part of one.
bool is_page(std::string_view document) {
  const std::string head = core::in_lower_case(document.substr(0, kLongestHead));
  return head.find("<html") != std::string::npos || head.find("<head") != std::string::npos;
}

/// Makes each declaration one of UTF-8. The places are those in the converted text.
void declare_utf8(std::string& document, Markup markup) {
  std::vector<ByteRange> all = declarations(document, markup);
  for (auto range = all.rbegin(); range != all.rend(); ++range) {
    const std::string_view name(document.data() + range->begin, range->end - range->begin);
    if (usual_name(name) != "utf-8") document.replace(range->begin, range->end - range->begin, "UTF-8");
  }
}

}  // namespace

DecodedDocument decode_document(std::string bytes, Markup markup) {
  if (markup != Markup::kHtml && !is_xml(markup)) return {std::move(bytes)};
  size_t mark = 0;
  std::string encoding = marked_encoding(bytes, mark);
  bytes.erase(0, mark);
  const bool undeclared_ascii = markup == Markup::kHtml && mark == 0 && is_page(bytes) && is_plain_ascii(bytes);
  const std::vector<ByteRange> declared = encoding.starts_with("utf-16") || encoding.starts_with("utf-32")
                                              ? std::vector<ByteRange>()
                                              : declarations(bytes, markup);
  if (encoding.empty() && declared.empty()) {
    DecodedDocument same{std::move(bytes)};
    same.needs_mark = undeclared_ascii;
    return same;
  }
  const size_t at = declared.empty() ? 0 : declared.front().begin;
  const std::string name =
      declared.empty() ? "" : bytes.substr(declared.front().begin, declared.front().end - declared.front().begin);
  DecodedDocument decoded;
  if (encoding.empty()) {
    encoding = usual_name(name);
    if (encoding.starts_with("utf-16")) encoding = "utf-8";  // else the declaration could not have been read
    const bool ascii = is_plain_ascii(bytes), escapes = bytes.find('\x1B') != std::string::npos;
    decoded.wrongly_declared = encoding != "utf-8" && !ascii && !escapes && text::is_valid_utf8(bytes);
    if (decoded.wrongly_declared || ascii) encoding = "utf-8";
  }
  if (encoding == "utf-8") {
    decoded.text = std::move(bytes);
  } else {
    UErrorCode error = U_ZERO_ERROR;
    const Converter converter =
        declared.empty() ? Converter(ucnv_open(encoding.c_str(), &error)) : open_declared(encoding);
    if (!converter) {
      const auto line = std::ranges::count(std::string_view(bytes).substr(0, at), '\n') + 1;
      fail<MarkupError>("line ", line, ": the document declares the encoding '", name,
                        "', which is not known; convert it to UTF-8");
    }
    IllFormed found;
    decoded.text = converted(bytes, converter.get(), &found);
    decoded.replaced = lines_of(bytes, converter.get(), found.places);
    decoded.encoding = encoding;
  }
  declare_utf8(decoded.text, markup);
  decoded.needs_mark = markup == Markup::kHtml && mark > 0 && declarations(decoded.text, markup).empty();
  return decoded;
}

}  // namespace ventris::markup
