#include "documents/code_placeholders.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/ascii.h"
#include "markup/angular_names.h"
#include "markup/characters.h"
#include "markup/html.h"
#include "markup/html_token.h"
#include "markup/manual_elements.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::character_at;
using markup::end_of_run;
using markup::is_word_character;

constexpr size_t kNone = 0;
constexpr size_t kMostBytes = 1000;  // that are looked at

bool stands_at(std::string_view text, size_t at, std::string_view sign) {
  return text.substr(std::min(at, text.size())).starts_with(sign);
}

/// Behind the end tag of an element with this name, in small letters, that has none of its name inside.
size_t end_of_element(std::string_view text, const std::string& name, size_t at) {
  const std::string_view shown = text.substr(0, std::min(at + kMostBytes, text.size()));
  for (at = shown.find('<', at); at < shown.size(); at = shown.find('<', at + 1)) {
    const size_t begin = at + (stands_at(text, at + 1, "/") ? 2 : 1);
    const size_t end = end_of_run(text, begin, [](UChar32 c) { return c < 0x80 && (u_isalnum(c) != 0 || c == '-'); });
    if (core::in_lower_case(text.substr(begin, end - begin)) != name) continue;
    if (begin == at + 1) return kNone;
    const size_t close = std::min(text.find_first_not_of(" \t\n", end), text.size());
    return stands_at(text, close, ">") ? close + 1 : kNone;
  }
  return kNone;
}

/// Whether a word that touches code would go on in it. Words of CJK touch others.
bool is_of_word(UChar32 character) { return is_word_character(character) && !markup::is_cjk(character); }

bool is_of_code_name(UChar32 c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; }

bool is_of_bracket_name(UChar32 c) { return is_of_code_name(c) || (c >= 'A' && c <= 'Z'); }

/// "[first_name]", "[FIRST_NAME]", "[your-name]", "[%key:a::b%]"
size_t end_of_bracket_name(std::string_view text, size_t at) {
  const std::string_view shown = text.substr(0, std::min(at + kMostBytes, text.size()));
  const size_t close = shown.find_first_of("[] \t\n", at + 1);
  if (close == std::string_view::npos || shown[close] != ']' || stands_at(text, close + 1, "(")) return kNone;
  const std::string_view name = text.substr(at + 1, close - at - 1);
  if (name.size() > 2 && name.starts_with('%') && name.ends_with('%')) return close + 1;
  const bool joined = name.find('_') != std::string_view::npos || name.starts_with("your-");
  if (!joined || !markup::is_letter(name.front()) || name.back() == '_') return kNone;
  const bool small = std::ranges::all_of(name, [](char c) { return is_of_code_name(static_cast<unsigned char>(c)); });
  const bool large = name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
  return small || large ? close + 1 : kNone;
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

}  // namespace

size_t end_of_code_element(std::string_view text, text::ByteRange start_tag) {
  const markup::HtmlToken tag = markup::html_token(text.substr(0, start_tag.end), start_tag.begin);
  if (tag.range.end != start_tag.end || tag.self_closing) return kNone;
  const markup::HtmlRole role = markup::role_of_element(tag.name);
  const bool code = role == markup::HtmlRole::kInlineCode || role == markup::HtmlRole::kBlockCode;
  if (tag.untranslated || (code && !tag.translated)) return end_of_element(text, tag.name, start_tag.end);
  const std::string_view name = text.substr(start_tag.begin + 1, tag.name.size());
  if (tag.translated || !markup::may_be_code_of_manual(name)) return kNone;
  const size_t end = end_of_element(text, tag.name, start_tag.end);
  const std::string_view content = text.substr(start_tag.end, end == kNone ? 0 : text.rfind('<', end) - start_tag.end);
  return markup::is_code_of_manual(name, content) ? end : kNone;
}

size_t end_of_angular_code(std::string_view text, size_t at) {
  if (!stands_at(text, at, "{$START_")) return kNone;
  const std::string_view shown = text.substr(0, std::min(at + kMostBytes, text.size()));
  const size_t end = shown.find('}', at);
  if (end == std::string_view::npos) return kNone;
  const std::string_view name = markup::angular_name(shown.substr(at + 2, end - at - 2));
  if (!markup::is_angular_code(name)) return kNone;
  const size_t close = shown.find("{$CLOSE_" + std::string(name), end);
  const size_t last = close == std::string_view::npos ? close : shown.find('}', close);
  return last == std::string_view::npos ? kNone : last + 1;
}

size_t end_of_backticks(std::string_view text, size_t at) {
  const bool touched =
      at > 0 && (text[at - 1] == '`' || text[at - 1] == '\'' || is_of_word(markup::character_before(text, at)));
  if (touched) return kNone;
  const size_t begin = std::min(text.find_first_not_of('`', at), text.size());
  const std::string_view run = text.substr(at, begin - at);
  const std::string_view shown = text.substr(0, std::min(begin + kMostBytes, text.size()));
  const size_t close = shown.find(run, begin);
  if (begin == text.size() || close == std::string_view::npos || stands_at(text, close + run.size(), "`")) return kNone;
  const std::string_view content = text.substr(begin, close - begin);
  const bool spaces = content.front() == ' ' || content.back() == ' ';
  const bool lines = run.size() < 3 && content.find('\n') != std::string_view::npos;
  const bool quotes = std::ranges::count(content, '\'') % 2 != 0;
  const bool sentence = run.size() == 1 && content.find(". ") != std::string_view::npos;
  if (spaces || lines || quotes || sentence || is_of_word(character_at(text, close + run.size()))) return kNone;
  return close + run.size();
}

size_t end_of_shortcode(std::string_view text, size_t at) {
  if (const size_t end = end_of_bracket_name(text, at); end != kNone) return end;
  const bool ends = stands_at(text, at + 1, "/");
  const size_t name = at + (ends ? 2 : 1);
  const size_t end = end_of_run(text, name, is_of_code_name);
  if (end < name + 2 || text[name] < 'a' || text[name] > 'z') return kNone;
  const std::string_view shown = text.substr(0, std::min(end + kMostBytes, text.size()));
  const size_t close = shown.find_first_of("[]\n", end);
  if (close == std::string_view::npos || shown[close] != ']' || stands_at(text, close + 1, "(")) return kNone;
  const std::string_view attributes = shown.substr(end, close - end);
  const bool given = has_attributes(attributes);
  return (ends ? attributes.empty() : given) ? close + 1 : kNone;
}

void BracketCodes::add(std::string_view text) {
  for (size_t at = text.find("[/"); at != std::string_view::npos; at = text.find("[/", at + 2)) {
    const size_t end = end_of_run(text, at + 2, is_of_bracket_name);
    if (stands_at(text, end, "]") && !stands_at(text, end, "](")) names_.emplace(text.substr(at + 2, end - at - 2));
  }
}

size_t BracketCodes::end_of_start(std::string_view text, size_t at) const {
  if (names_.empty()) return kNone;
  const bool ends = stands_at(text, at + 1, "/");
  const size_t name = at + (ends ? 2 : 1), end = end_of_run(text, name, is_of_bracket_name);
  if (!names_.contains(text.substr(name, end - name))) return kNone;
  const std::string_view shown = text.substr(0, std::min(end + kMostBytes, text.size()));
  const size_t close = shown.find_first_of("[]\n", end);
  const bool closed = close != std::string_view::npos && shown[close] == ']';
  const std::string_view attributes = text.substr(end, std::min(close, text.size()) - end);
  const bool given = attributes.empty() || (!ends && attributes.find('=') != std::string_view::npos);
  return closed && given && !stands_at(text, close + 1, "(") ? close + 1 : kNone;
}

std::vector<text::ByteRange> shortcodes_in(std::string_view text, const BracketCodes& codes) {
  constexpr size_t kShortestEnd = 6, kShortestStart = 5;  // not "[/or]"
  std::vector<text::ByteRange> found;
  if (is_known_shortcode(text)) return {{0, text.size()}};
  for (size_t at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
    const size_t start = codes.end_of_start(text, at), end = std::max(end_of_shortcode(text, at), start);
    if (end == kNone) continue;
    const std::string_view code = text.substr(at, end - at);
    const bool known =
        code.starts_with("[/") ? code.size() >= kShortestEnd : start != kNone && code.size() >= kShortestStart;
    const bool name = code.find('_') != std::string_view::npos && code.find(' ') == std::string_view::npos;
    if (known || name || code.find('=') != std::string_view::npos) found.push_back({at, end});
  }
  return found;
}

}  // namespace ventris::documents
