#include "documents/name_placeholders.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>

#include "documents/sign_matcher.h"
#include "markup/technical_names.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::character_at;
using markup::character_before;
using markup::end_of_run;
using markup::is_word_character;

bool is_of_path(UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '.' || c == '-' || c == '/'); }

class NameMatcher : public SignMatcher {
 public:
  using SignMatcher::SignMatcher;

  size_t end_of_name(size_t at) const {
    const UChar32 before = character_before(text(), at);
    if (is_word_character(before) || before == '/' || before == '.' || before == '-' || before == '+' || before == '&')
      return kNoEnd;
    switch (text()[at]) {
      case '/': return end_of_path(at);
      case '~': return is_at(at, "~/") ? end_of_path(at + 1) : kNoEnd;
      case '#': return end_of_number(at);
      case 'v': return end_of_version(at);
      default: return std::max(end_of_keys(at), before == '\t' ? end_of_function_key(at) : kNoEnd);
    }
  }

  size_t path_behind(size_t end) const {
    if (is_at(end, "/")) {
      const size_t last = end_of_parts(end);
      return last > end + 1 ? last - end : 0;
    }
    const size_t last = end_of_parts(end);
    const std::string_view ending = text().substr(end, last - end);
    return is_at(end, ".") && markup::is_technical_name("a" + std::string(ending)) ? ending.size() : 0;
  }

 private:
  /// Behind letters, digits and the signs of paths, without stops at the end.
  size_t end_of_parts(size_t at) const {
    size_t end = end_of_run(text(), at, is_of_path);
    while (end > at && std::string_view(".-").find(text()[end - 1]) != std::string_view::npos) --end;
    return end;
  }
  /// At least two names behind slashes, or one that begins or ends with a stop and letters.
  size_t end_of_path(size_t at) const {
    const size_t end = end_of_parts(at);
    const std::string_view path = text().substr(at, end - at);
    const auto slashes = std::ranges::count(path, '/');
    const bool named = path.size() > 2 && path[1] != '/' && path.find("//") == std::string_view::npos;
    const bool hidden = path.starts_with("/.") || (at > 0 && text()[at - 1] == '~');
    const auto is_ascii_letter = [](char c) { return markup::is_letter(c); };
    return named && (slashes > 1 || hidden) && std::ranges::any_of(path, is_ascii_letter) ? end : kNoEnd;
  }
  size_t end_of_number(size_t at) const {
    size_t end = at + 1;
    while (is_digit(end)) ++end;
    return end > at + 1 && !is_word_character(character_at(text(), end)) ? end : kNoEnd;
  }
  size_t end_of_version(size_t at) const {
    if (!is_digit(at + 1)) return kNoEnd;
    const size_t end = end_of_parts(at);
    return markup::is_technical_name(text().substr(at, end - at)) ? end : kNoEnd;
  }
  /// "Ctrl+Shift+O"
  size_t end_of_keys(size_t at) const {
    constexpr std::array<std::string_view, 12> kModifiers{"Ctrl",    "Control", "Alt",   "AltGr",  "Shift", "Cmd",
                                                          "Command", "Meta",    "Super", "Option", "Strg",  "Win"};
    const auto is_of_key = [](UChar32 c) { return c < 0x80 && is_word_character(c); };
    size_t end = end_of_run(text(), at, is_of_key);
    if (!is_at(end, "+") || std::ranges::find(kModifiers, text().substr(at, end - at)) == kModifiers.end())
      return kNoEnd;
    while (is_at(end, "+")) {
      const size_t next = end_of_run(text(), end + 1, is_of_key);
      if (next == end + 1) break;
      end = next;
    }
    return text()[end - 1] == '+' || end_of_run(text(), at, is_of_key) == end ? kNoEnd : end;
  }
  /// "F1" to "F24", "Del"
  size_t end_of_function_key(size_t at) const {
    constexpr std::array<std::string_view, 6> kKeys{"Del", "Delete", "Ins", "Esc", "Enter", "Backspace"};
    const size_t end = end_of_run(text(), at, [](UChar32 c) { return c < 0x80 && is_word_character(c); });
    const std::string_view key = text().substr(at, end - at);
    const bool function = key.size() > 1 && key.size() < 4 && key.starts_with('F') &&
                          key.find_first_not_of("0123456789", 1) == std::string_view::npos;
    return function || std::ranges::find(kKeys, key) != kKeys.end() ? end : kNoEnd;
  }
};

}  // namespace

size_t end_of_name_of_system(std::string_view text, size_t at) { return NameMatcher(text).end_of_name(at); }

size_t path_behind(std::string_view text, size_t end) { return NameMatcher(text).path_behind(end); }

}  // namespace ventris::documents
