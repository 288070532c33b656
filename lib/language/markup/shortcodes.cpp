#include "markup/shortcodes.h"

#include <algorithm>
#include <array>

#include "markup/characters.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

constexpr size_t kNoCode = 0;
constexpr size_t kMostBytes = 1000;  // that are looked at

bool is_of_code_name(UChar32 c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

bool is_of_bracket_name(UChar32 c) { return is_of_code_name(c) || (c >= 'A' && c <= 'Z'); }

/// "[first_name]", "[FIRST_NAME]", "[your-name]", "[%key:a::b%]"
size_t end_of_bracket_name(std::string_view text, size_t at) {
  const std::string_view shown = text.substr(0, std::min(at + kMostBytes, text.size()));
  const size_t close = shown.find_first_of("[] \t\n", at + 1);
  if (close == std::string_view::npos || shown[close] != ']' || stands_at(text, close + 1, "(")) return kNoCode;
  const std::string_view name = text.substr(at + 1, close - at - 1);
  if (name.size() > 2 && name.starts_with('%') && name.ends_with('%')) return close + 1;
  const bool joined = name.find('_') != std::string_view::npos || name.starts_with("your-");
  if (!joined || !is_letter(name.front()) || name.back() == '_') return kNoCode;
  const bool small = std::ranges::all_of(name, [](char c) { return is_of_code_name(static_cast<unsigned char>(c)); });
  const bool large = name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
  return small || large ? close + 1 : kNoCode;
}

/// Whether behind the name of a shortcode are values in quotation marks, or nothing but words such as "num=5".
bool has_attributes(std::string_view text) {
  if (!text.starts_with(' ')) return false;
  for (const std::string_view quoted : {"=\"", "='"}) {
    if (text.find(quoted) != std::string_view::npos) return true;
  }
  size_t values = 0;
  for (size_t at = text.find_first_not_of(' '); at < text.size(); at = text.find_first_not_of(' ', at)) {
    const size_t end = std::min(text.find(' ', at), text.size()), sign = text.find('=', at);
    if (text.substr(at, end - at) != "/" && (sign >= end || sign == at || sign + 1 == end)) return false;
    ++values;
    at = end;
  }
  return values > 0;
}

/// "[gallery]" and others of WordPress and its best-known plug-ins that need no attributes.
bool is_known_shortcode(std::string_view text) {
  constexpr std::array<std::string_view, 12> kKnown{"[gallery]",  "[playlist]", "[audio]",    "[video]",
                                                    "[embed]",    "[toc]",      "[products]", "[cart]",
                                                    "[checkout]", "[sitemap]",  "[lwptoc]",   "[ez-toc]"};
  return std::ranges::find(kKnown, text) != kKnown.end();
}

/// The shortcodes whose content is code, or the name of a film.
bool has_code_inside(std::string_view name) {
  constexpr std::array<std::string_view, 30> kNames{
      "code", "sourcecode", "source", "crayon", "pre",   "highlight", "php",  "js",    "javascript", "css",
      "html", "xml",        "sql",    "bash",   "shell", "python",    "py",   "ruby",  "java",       "csharp",
      "cpp",  "objc",       "perl",   "json",   "yaml",  "latex",     "gist", "vimeo", "youtube",    "swift"};
  return std::ranges::find(kNames, name) != kNames.end();
}

}  // namespace

size_t end_of_shortcode(std::string_view text, size_t at) {
  if (const size_t end = end_of_bracket_name(text, at); end != kNoCode) return end;
  const bool ends = stands_at(text, at + 1, "/");
  const size_t name = at + (ends ? 2 : 1);
  const size_t end = end_of_run(text, name, is_of_code_name);
  if (end < name + 2 || text[name] < 'a' || text[name] > 'z') return kNoCode;
  const std::string_view shown = text.substr(0, std::min(end + kMostBytes, text.size()));
  const size_t close = shown.find_first_of("[]\n", end);
  if (close == std::string_view::npos || shown[close] != ']' || stands_at(text, close + 1, "(")) return kNoCode;
  const std::string_view attributes = shown.substr(end, close - end);
  const bool given = has_attributes(attributes);
  return (ends ? attributes.empty() : given) ? close + 1 : kNoCode;
}

void BracketCodes::add(std::string_view text) {
  for (size_t at = text.find("[/"); at != std::string_view::npos; at = text.find("[/", at + 2)) {
    const size_t end = end_of_run(text, at + 2, is_of_bracket_name);
    if (stands_at(text, end, "]") && !stands_at(text, end, "](")) names_.emplace(text.substr(at + 2, end - at - 2));
  }
}

size_t BracketCodes::end_of_start(std::string_view text, size_t at) const {
  if (names_.empty()) return kNoCode;
  const bool ends = stands_at(text, at + 1, "/");
  const size_t name = at + (ends ? 2 : 1), end = end_of_run(text, name, is_of_bracket_name);
  if (!names_.contains(text.substr(name, end - name))) return kNoCode;
  const std::string_view shown = text.substr(0, std::min(end + kMostBytes, text.size()));
  const size_t close = shown.find_first_of("[]\n", end);
  if (close == std::string_view::npos || shown[close] != ']') return kNoCode;
  const std::string_view attributes = text.substr(end, close - end);
  const bool given = attributes.empty() || (!ends && attributes.find('=') != std::string_view::npos);
  return given && !stands_at(text, close + 1, "(") ? close + 1 : kNoCode;
}

std::vector<ByteRange> shortcodes_in(std::string_view text, const BracketCodes& codes) {
  constexpr size_t kShortestEnd = 6, kShortestStart = 5;  // not "[/or]"
  std::vector<ByteRange> found;
  if (is_known_shortcode(text)) return {{0, text.size()}};
  for (size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const size_t start = codes.end_of_start(text, at), end = std::max(end_of_shortcode(text, at), start);
    if (end == kNoCode) continue;
    const std::string_view code = text.substr(at, end - at);
    const bool known =
        code.starts_with("[/") ? code.size() >= kShortestEnd : start != kNoCode && code.size() >= kShortestStart;
    const bool name = code.find('_') != std::string_view::npos && code.find(' ') == std::string_view::npos;
    if (known || name || code.find('=') != std::string_view::npos) found.push_back({at, end});
  }
  return found;
}

std::vector<ByteRange> code_shortcodes(std::string_view document) {
  std::vector<ByteRange> found;
  std::set<std::string_view> endless;  // names that have no end from here on
  for (size_t at = document.find('['); at != std::string_view::npos; at = document.find('[', at)) {
    const size_t begin = at++, end = end_of_run(document, at, is_of_code_name);
    const std::string_view name = document.substr(at, end - at);
    const bool escaped = begin > 0 && document[begin - 1] == '[';
    if (escaped || !has_code_inside(name) || endless.contains(name)) continue;
    const size_t close =
        stands_at(document, end, "]") ? end : std::min(document.find_first_of("[]\n", end), document.size());
    if (!stands_at(document, close, "]") || !(close == end || stands_at(document, end, " "))) continue;
    const std::string last = "[/" + std::string(name) + "]";
    const size_t behind = document.find(last, close);
    if (behind == std::string_view::npos) {
      endless.insert(name);
      continue;
    }
    at = behind + last.size();
    found.push_back({begin, at});
  }
  return found;
}

}  // namespace ventris::markup
