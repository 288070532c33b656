#include "documents/name_placeholders.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <string>

#include "core/ascii.h"
#include "documents/sign_matcher.h"
#include "markup/technical_names.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

using markup::character_at;
using markup::character_before;
using markup::end_of_run;
using markup::is_word_character;

bool is_of_key(UChar32 c) { return c < 0x80 && is_word_character(c); }

bool is_of_path(UChar32 c) { return c < 0x80 && (is_word_character(c) || c == '.' || c == '-' || c == '/'); }

constexpr size_t kLongestEnding = 5;  // of a file

class NameMatcher : public SignMatcher {
 public:
  using SignMatcher::SignMatcher;

  size_t end_of_name(size_t at) const {
    const UChar32 before = character_before(text(), at);
    if (is_word_character(before) || before == '/' || before == '.' || before == '-' || before == '+' ||
        before == '&' || before == ')' || before == ']')
      return kNoEnd;
    switch (text()[at]) {
      case '/': return end_of_path(at);
      case '~': return is_at(at, "~/") ? end_of_path(at + 1) : kNoEnd;
      case '#': return end_of_number(at);
      case 'v': return end_of_version(at);
      case '*': return end_of_pattern(at);
      case '.': return end_of_relative_path(at);
      default:
        return std::max({end_of_keys(at), before == '\t' ? end_of_function_key(at) : kNoEnd, end_of_program_name(at)});
    }
  }

  /// With several slashes, the ending of a file, or a name of a place in front; "{n}/month" is none.
  size_t path_behind(text::ByteRange placeholder) const {
    if (is_at(placeholder.begin, "%") && is_at(placeholder.end - 1, "%\\")) return path_of_windows(placeholder);
    const size_t end = placeholder.end, last = end_of_parts(end);
    const std::string_view path = text().substr(end, last - end);
    const bool file = markup::is_file_name("a" + std::string(path));
    const bool begins = is_at(end, "/") || is_at(end, ".");
    const bool page = is_at(end, "/") && is_letter(end + 1) && markup::is_technical_name(path) &&
                      is_name_of_place(text().substr(placeholder.begin, end - placeholder.begin));
    return begins && (file || page || std::ranges::count(path, '/') > 1) ? path.size() : 0;
  }

  /// "\\\\server\\share", also with each backslash doubled
  size_t end_of_network_path(size_t at) const {
    constexpr size_t kMostSigns = 4;  // with each doubled
    const size_t signs = markup::run_of(text().substr(at, kMostSigns + 1), 0, "\\");
    if ((signs != 2 && signs != kMostSigns) || is_word_character(character_before(text(), at))) return kNoEnd;
    const size_t server =
        end_of_run(text(), at + signs, [](UChar32 c) { return is_of_key(c) || c == '.' || c == '-'; });
    if (server < at + signs + 2 || !is_at(server, "\\") || !is_alnum(at + signs)) return kNoEnd;
    const size_t last = text().find_last_not_of(".,;:!)'\\", end_of_part_of_path(server) - 1);
    return last > server ? last + 1 : kNoEnd;
  }

  /// "C:\\new", "C:\\Program Files\\a"
  size_t end_of_windows_path(size_t at) const {
    if (!is_letter(at) || is_word_character(character_before(text(), at))) return kNoEnd;
    size_t end = end_of_part_of_path(at);
    while (is_at(end, " ")) {
      const size_t part =
          text().substr(0, std::min(end + kLongestName, text().size())).find_first_of("\\/:,;\t\n\"<>|?*", end);
      if (part >= text().size() || text()[part] != '\\' || !is_end_of_folder(text().substr(end, part - end))) break;
      end = end_of_part_of_path(part);
    }
    const size_t last = text().find_last_not_of(".,;:!)'", end - 1);
    return last > at + 2 ? last + 1 : kNoEnd;
  }

 private:
  /// Whether this, which begins with a space, can be the rest of a folder's name: " Files", " Files (x86)".
  static bool is_end_of_folder(std::string_view words) {
    for (size_t space = words.find(' '); space != std::string_view::npos; space = words.find(' ', space + 1)) {
      const char first = space + 1 < words.size() ? words[space + 1] : ' ';
      if ((first < 'A' || first > 'Z') && (first < '0' || first > '9') && first != '(') return false;
    }
    return true;
  }

  size_t end_of_part_of_path(size_t at) const {
    return std::min(text().find_first_of(" \t\n\"<>|?*", at), text().size());
  }

  /// The size of "\\MyApp\\config.ini" behind "%APPDATA%", without spaces; "\\nHello" is none.
  size_t path_of_windows(text::ByteRange variable) const {
    constexpr size_t kShortest = 5;  // with both signs
    if (variable.end - variable.begin < kShortest || !is_capital(variable.begin + 1)) return 0;
    size_t end = end_of_run(text(), variable.end, [](UChar32 c) { return is_of_path(c) || c == '\\'; });
    while (end > variable.end && std::string_view(".-\\").find(text()[end - 1]) != std::string_view::npos) --end;
    const std::string_view path = text().substr(variable.end, end - variable.end);
    const bool written = path.size() > 1 && std::string_view("nrt").find(path[1]) != std::string_view::npos;
    return written && path.find_first_of("\\.", 1) == std::string_view::npos ? 0 : path.size();
  }
  bool is_capital(size_t at) const { return text()[at] >= 'A' && text()[at] <= 'Z'; }
  /// Behind letters, digits and the signs of paths, without stops at the end.
  size_t end_of_parts(size_t at) const {
    size_t end = end_of_run(text(), at, is_of_path);
    while (end > at && std::string_view(".-").find(text()[end - 1]) != std::string_view::npos) --end;
    return end;
  }
  /// At least two names behind slashes, one that begins with a stop, or one behind "~".
  size_t end_of_path(size_t at) const {
    const size_t end = end_of_parts(at);
    const std::string_view path = text().substr(at, end - at);
    const auto slashes = std::ranges::count(path, '/');
    const bool named = path.size() > 2 && path[1] != '/' && path.find("//") == std::string_view::npos;
    const bool hidden = path.starts_with("/.") || (at > 0 && text()[at - 1] == '~');
    return named && (slashes > 1 || hidden) && std::ranges::any_of(path, markup::is_letter) ? end : kNoEnd;
  }
  size_t end_of_number(size_t at) const {
    size_t end = at + 1;
    while (is_digit(end)) ++end;
    return end > at + 1 && !is_word_character(character_at(text(), end)) ? end : kNoEnd;
  }
  /// "./install.sh", "../docs/index.html", "./gradlew"
  size_t end_of_relative_path(size_t at) const {
    const size_t signs = is_at(at, "./") ? 2 : is_at(at, "../") ? 3 : 0;
    const size_t end = signs > 0 ? end_of_parts(at) : kNoEnd;
    return end > at + signs && std::ranges::any_of(text().substr(at, end - at), markup::is_letter) ? end : kNoEnd;
  }
  /// "*.png", as dialogs for files have it
  size_t end_of_pattern(size_t at) const {
    const size_t end = end_of_run(text(), at + 2, [](UChar32 c) { return c < 0x80 && u_isalnum(c) != 0; });
    return is_at(at, "*.") && end > at + 2 && end <= at + 2 + kLongestEnding ? end : kNoEnd;
  }
  /// "src/util.py", "setup.py", "wp_insert_post()", "WP_DEBUG"
  size_t end_of_program_name(size_t at) const {
    const size_t name = end_of_run(text(), at, is_of_key);
    if (name == at || name > at + kLongestName) return kNoEnd;
    if (is_at(name, "()")) return is_letter(at) ? name + 2 : kNoEnd;
    const size_t end = end_of_parts(at);
    const bool whole = !is_word_character(character_at(text(), end)) && !is_at(end, "@");
    if (whole && markup::is_file_name(text().substr(at, end - at))) return end;
    const std::string_view word = text().substr(at, name - at);
    const bool large = word.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
    const size_t sign = word.find('_');
    return large && sign > 0 && sign < word.size() - 1 && !is_word_character(character_at(text(), name)) ? name
                                                                                                         : kNoEnd;
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
    size_t end = end_of_run(text(), at, is_of_key);
    if (!is_at(end, "+") || std::ranges::find(kModifiers, text().substr(at, end - at)) == kModifiers.end())
      return kNoEnd;
    size_t last = end;  // where the last key begins
    while (is_at(end, "+") && end_of_run(text(), end + 1, is_of_key) > end + 1) {
      last = end + 1;
      end = end_of_run(text(), last, is_of_key);
    }
    return is_key(text().substr(last, end - last)) ? end : kNoEnd;
  }
  /// "O", "F1", "Del"
  static bool is_key(std::string_view name) {
    constexpr std::array<std::string_view, 18> kKeys{"Del",   "Delete", "Ins",       "Insert", "Esc",   "Escape",
                                                     "Enter", "Return", "Backspace", "Tab",    "Space", "Up",
                                                     "Down",  "Left",   "Right",     "Home",   "End",   "Plus"};
    return name.size() == 1 || is_function_key(name) || std::ranges::find(kKeys, name) != kKeys.end();
  }
  static bool is_function_key(std::string_view name) {
    return name.size() > 1 && name.size() < 4 && name.starts_with('F') &&
           name.find_first_not_of("0123456789", 1) == std::string_view::npos;
  }
  /// "F1" or "Del", up to the end of its column
  size_t end_of_function_key(size_t at) const {
    const size_t end = end_of_run(text(), at, is_of_key);
    const bool whole = end == text().size() || is_at(end, "\t") || is_at(end, "\n") || is_at(end, "\\");
    return whole && end > at + 1 && is_key(text().substr(at, end - at)) ? end : kNoEnd;
  }
};

}  // namespace

bool is_name_of_place(std::string_view placeholder) {
  static constexpr std::array<std::string_view, 14> kPlaces{"url",    "uri",    "path", "dir",   "root",
                                                            "base",   "host",   "home", "site",  "domain",
                                                            "folder", "prefix", "link", "server"};
  const bool small = std::ranges::any_of(placeholder, [](char c) { return c >= 'a' && c <= 'z'; });
  if (!small && placeholder.starts_with('$')) return true;
  const auto is_place = [](std::string_view part) {
    return part.ends_with("url") || std::ranges::find(kPlaces, part) != kPlaces.end();
  };
  std::string part;  // of "base_url", "baseUrl"
  for (size_t at = 0; at < placeholder.size(); ++at) {
    const char c = placeholder[at];
    const bool capital = c >= 'A' && c <= 'Z', letter = capital || (c >= 'a' && c <= 'z');
    const bool begins = capital && at > 0 && placeholder[at - 1] >= 'a' && placeholder[at - 1] <= 'z';
    if (!letter || begins) {
      if (is_place(part)) return true;
      part.clear();
    }
    if (letter) part += core::in_lower_case(std::string_view(&c, 1));
  }
  return is_place(part);
}

size_t end_of_name_of_system(std::string_view text, size_t at) { return NameMatcher(text).end_of_name(at); }

size_t end_of_windows_path(std::string_view text, size_t at) { return NameMatcher(text).end_of_windows_path(at); }

size_t end_of_network_path(std::string_view text, size_t at) { return NameMatcher(text).end_of_network_path(at); }

size_t path_behind(std::string_view text, text::ByteRange placeholder) {
  return NameMatcher(text).path_behind(placeholder);
}

}  // namespace ventris::documents
