#include "documents/code_placeholders.h"

#include <unicode/uchar.h>

#include <algorithm>
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
using markup::stands_at;

constexpr size_t kNone = 0;
constexpr size_t kMostBytes = 1000;  // that are looked at

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

}  // namespace ventris::documents
