#include "markup/technical_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <string>

#include "core/ascii.h"

namespace ventris::markup {
namespace {

bool is_digit(unsigned char c) { return std::isdigit(c) != 0; }
bool is_lower(unsigned char c) { return std::islower(c) != 0; }
bool is_upper(unsigned char c) { return std::isupper(c) != 0; }
bool is_alnum(unsigned char c) { return std::isalnum(c) != 0; }

template <size_t size>
bool is_one_of(std::string_view text, const std::array<std::string_view, size>& all) {
  return std::ranges::find(all, text) != all.end();
}

/// "/about/team", but no unit of a price, such as "/month".
bool is_page(std::string_view text) {
  constexpr std::array<std::string_view, 26> kUnits{
      "month", "months", "mo",  "year",   "years", "yr",   "day",   "days", "week",   "weeks", "wk",   "hour",  "hours",
      "hr",    "h",      "min", "minute", "night", "user", "users", "seat", "person", "item",  "unit", "piece", "pc"};
  if (!text.starts_with('/') || text.size() < 3 || !is_lower(static_cast<unsigned char>(text[1]))) return false;
  const auto is_part = [](unsigned char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '_'; };
  for (size_t begin = 1; begin <= text.size();) {
    const size_t end = std::min(text.find('/', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    if (is_one_of(part, kUnits) || !std::ranges::all_of(part, is_part)) return false;
    begin = end + 1;
  }
  return true;
}

/// A page or file with a place or a query behind it: "/faq#top", "docs/a.md#b", "/?source=app". (A place alone may be a
/// word: "#new".)
bool is_place_in_page(std::string_view text) {
  const size_t sign = text.find_first_of("#?");
  if (sign == std::string_view::npos || sign + 1 == text.size()) return false;
  const std::string_view place = text.substr(sign);
  if (place.find_first_of(" \t\n") != std::string_view::npos) return false;
  if (place.starts_with('?') && place.find('=') == std::string_view::npos) return false;
  std::string_view page = text.substr(0, sign);
  if (page == "/") return true;
  if (page.ends_with('/')) page.remove_suffix(1);
  return is_page(page) || is_file_name(page);
}

/// "v1.2.3", "2.0-beta"
bool is_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  const size_t numbers = std::min(text.find_first_not_of("0123456789."), text.size());
  if (numbers < 3 || !is_digit(static_cast<unsigned char>(text.front())) ||
      text.substr(0, numbers).find('.') == std::string_view::npos)
    return false;
  constexpr std::array<std::string_view, 8> kStages{"alpha", "beta",     "rc",       "dev",
                                                    "pre",   "snapshot", "SNAPSHOT", "final"};
  const std::string_view rest = text.substr(numbers);
  if (rest.empty()) return true;
  const size_t end = std::min(rest.find_first_of("0123456789.", 1), rest.size());
  return rest.starts_with('-') && is_one_of(rest.substr(1, end - 1), kStages) &&
         rest.find_first_not_of("0123456789.", end) == std::string_view::npos;
}

bool is_length(std::string_view text) {
  constexpr std::array<std::string_view, 12> kUnits{"px",   "em", "rem", "vh", "vw", "vmin",
                                                    "vmax", "pt", "ch",  "fr", "dp", "sp"};
  const size_t digits = text.find_first_not_of("0123456789.");
  return digits != std::string_view::npos && is_digit(static_cast<unsigned char>(text.front())) &&
         is_one_of(text.substr(digits), kUnits);
}

/// "fa-user", "fas fa-user"
bool is_icon(std::string_view text) {
  constexpr std::array<std::string_view, 8> kBeginnings{"fa fa-", "fas fa-", "far fa-", "fab fa-",
                                                        "bi bi-", "fa-",     "mdi-",    "glyphicon-"};
  const auto begins = [&](std::string_view sign) { return text.starts_with(sign) && text.size() > sign.size(); };
  const auto found = std::ranges::find_if(kBeginnings, begins);
  const auto is_part = [](unsigned char c) { return is_lower(c) || is_digit(c) || c == '-'; };
  return found != kBeginnings.end() && std::ranges::all_of(text.substr(found->size()), is_part);
}

bool is_source(std::string_view text) {
  return (text.starts_with("jdbc:") || text.starts_with("classpath:") || text.starts_with("urn:")) &&
         text.find_first_of(" \t\n") == std::string_view::npos;
}

/// "rgba(0, 0, 0, 0.5)", "var(--main)", "calc(100% - 10px)"
bool is_function_of_css(std::string_view text) {
  constexpr std::array<std::string_view, 9> kNames{
      "rgb(", "rgba(", "hsl(", "hsla(", "var(", "calc(", "url(", "linear-gradient(", "cubic-bezier("};
  const bool begins = std::ranges::any_of(kNames, [&](std::string_view name) { return text.starts_with(name); });
  int64_t depth = 0;
  for (size_t at = 0; begins && at < text.size(); ++at) {
    depth += text[at] == '(' ? 1 : 0;
    depth -= text[at] == ')' ? 1 : 0;
    if (text[at] == ')' && depth == 0) return at + 1 == text.size();
  }
  return false;
}

/// "--all", "-l", "--no-color"
bool is_option(std::string_view text) {
  const size_t name = text.starts_with("--") ? 2 : 1;
  if (!text.starts_with('-') || text.size() <= name || (name == 1 && text.size() > 2)) return false;
  const auto is_part = [](unsigned char c) { return is_alnum(c) || c == '-' || c == '_'; };
  const auto first = static_cast<unsigned char>(text[name]);
  return !text.ends_with('-') && (is_lower(first) || is_upper(first)) &&
         std::ranges::all_of(text.substr(name), is_part);
}

/// "C:\\Program Files\\App"
bool is_path_of_windows(std::string_view text) {
  constexpr size_t kShortest = 4;
  if (text.size() < kShortest) return false;
  const auto drive = static_cast<unsigned char>(text.front());
  const bool letter = (is_lower(drive) || is_upper(drive)) && text[3] != ' ';
  const size_t space = text.rfind(' ');
  const bool sentence = space != std::string_view::npos && text.find('\\', space) == std::string_view::npos;
  if (sentence || text.find_first_of("!?;,") != std::string_view::npos) return false;
  return (letter && text.substr(1, 2) == ":\\") || (text.starts_with("\\\\") && text[2] != '\\');
}

/// "UTF-8", "ISO-8859-1"
bool is_encoding(std::string_view text) {
  constexpr size_t kLongest = 12;
  constexpr std::array<std::string_view, 5> kBeginnings{"utf-", "utf8", "iso-8859-", "windows-12", "us-ascii"};
  if (text.size() > kLongest || text.find(' ') != std::string_view::npos) return false;
  const std::string name = core::in_lower_case(text);
  return std::ranges::any_of(kBeginnings, [&](std::string_view begin) { return name.starts_with(begin); });
}

/// "userName", "user_name", "step_1", "USER_NAME", "user.created", "java.util.Date": at least two parts, of letters and
/// digits.
bool is_name_of_program(std::string_view text) {
  if (text.empty() ||
      !(is_lower(static_cast<unsigned char>(text.front())) || is_upper(static_cast<unsigned char>(text.front()))))
    return false;
  bool lower = false, upper = false, hump = false, mixed = false;
  char sign = 0;
  size_t part = 0, signs = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (is_alnum(c)) {
      hump = hump || (is_upper(c) && i > 0 && is_lower(static_cast<unsigned char>(text[i - 1])));
      lower = lower || is_lower(c);
      upper = upper || is_upper(c);
      ++part;
      continue;
    }
    if ((c != '_' && c != '.') || part < 2) return false;
    mixed = mixed || (sign != 0 && sign != text[i]);
    sign = text[i];
    part = 0;
    ++signs;
  }
  if (mixed) return part > 0 && lower != upper;  // "user.password_reset"
  if (sign != 0 && part < (sign == '_' ? 1 : 2)) return false;  // "step_1", but not "etc."
  if (sign == '.' && signs > 1) return true;
  if (sign == '_') return lower != upper;
  return is_lower(static_cast<unsigned char>(text.front())) && (sign == '.' ? !upper || hump : hump);
}

/// "com.example.app.ACTION_VIEW", "com.example.Bar$Inner": at least three parts, of letters, digits,
/// "_" and "$"; ".MainActivity", which is one part with two capitals behind a dot.
bool is_class_of_program(std::string_view text) {
  constexpr size_t kShortest = 5;
  const auto is_part = [](unsigned char c) { return is_alnum(c) || c == '_' || c == '.' || c == '$'; };
  if (text.size() < kShortest || !std::ranges::all_of(text, is_part) || text.find("..") != std::string_view::npos)
    return false;
  const auto is_capital = [](char c) { return is_upper(static_cast<unsigned char>(c)); };
  if (text.starts_with('.')) {
    const bool name = is_capital(text[1]) && text.find_first_of("._$", 1) == std::string_view::npos;
    const auto capitals = std::ranges::count_if(text, is_capital);
    return name && capitals > 1 && capitals + 1 < static_cast<int64_t>(text.size());
  }
  size_t part = 0, shortest = text.size();
  for (const char c : text) {
    if (c == '.') shortest = std::min(shortest, part);
    part = c == '.' ? 0 : part + 1;
  }
  const bool begins = is_lower(static_cast<unsigned char>(text.front())) && shortest > 1;  // not "a.k.a"
  return begins && is_alnum(static_cast<unsigned char>(text.back())) && std::ranges::count(text, '.') > 1;
}

/// "my-project.appspot.com": at least two parts of small letters, digits and hyphens, the last one of letters.
bool is_host(std::string_view text) {
  const auto is_sign = [](unsigned char c) { return is_lower(c) || is_digit(c) || c == '-' || c == '.'; };
  const size_t dot = text.rfind('.');
  if (dot == std::string_view::npos || dot < 2 || text.size() - dot < 3 || !std::ranges::all_of(text, is_sign))
    return false;
  const auto touches = [&](std::string_view two) { return text.find(two) != std::string_view::npos; };
  const bool empty = text.starts_with('.') || text.starts_with('-') || touches("..") || touches(".-") || touches("-.");
  const bool numbers = text.find_first_not_of("0123456789") >= text.find('.');  // "24.december"
  return !empty && !numbers && std::ranges::all_of(text.substr(dot + 1), [](unsigned char c) { return is_lower(c); });
}

/// "fb1234567890", "ca-app-pub-3940256099942544/6300978111", "1:1234567890:android:abc": small letters and a number of
/// at least eight digits, without spaces.
bool is_numbered_name(std::string_view text) {
  constexpr int64_t kLeastDigits = 8;
  int64_t digits = 0, most = 0;
  bool letters = false;
  for (const unsigned char c : text) {
    digits = is_digit(c) ? digits + 1 : 0;
    most = std::max(most, digits);
    letters = letters || is_lower(c);
    if (!is_lower(c) && !is_digit(c) && std::string_view(":/~._-").find(static_cast<char>(c)) == std::string_view::npos)
      return false;
  }
  const size_t word = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz");
  const bool only_number =
      word != std::string_view::npos && !is_digit(static_cast<unsigned char>(text[word])) &&
      text.find_first_not_of("0123456789", word + 1) == std::string_view::npos;  // "order-12345678"
  return letters && most >= kLeastDigits && !only_number;
}

}  // namespace

bool is_file_name(std::string_view text) {
  constexpr std::array<std::string_view, 74> kEndings{
      "png",   "jpg", "jpeg", "gif",  "svg",    "webp", "ico",   "avif", "bmp",  "tif",  "tiff", "css",  "scss",
      "js",    "mjs", "ts",   "tsx",  "jsx",    "vue",  "json",  "xml",  "yml",  "yaml", "html", "htm",  "xhtml",
      "md",    "mdx", "txt",  "pdf",  "doc",    "docx", "odt",   "xls",  "xlsx", "ods",  "ppt",  "pptx", "epub",
      "zip",   "gz",  "tar",  "mp3",  "mp4",    "webm", "wav",   "ogg",  "mov",  "csv",  "tsv",  "ttf",  "woff",
      "woff2", "php", "py",   "java", "rb",     "go",   "cpp",   "sh",   "ini",  "conf", "log",  "sql",  "properties",
      "toml",  "rs",  "kt",   "dart", "gradle", "cs",   "swift", "lock", "hpp"};
  const size_t dot = text.rfind('.');
  if (dot == 0 || dot == std::string_view::npos || !is_one_of(text.substr(dot + 1), kEndings)) return false;
  const auto is_part = [](unsigned char c) {
    return is_alnum(c) || std::string_view("._-/@+").find(static_cast<char>(c)) != std::string_view::npos;
  };
  return std::ranges::all_of(text, is_part);
}

bool is_technical_name(std::string_view text) {
  constexpr size_t kLongest = 200;
  if (text.size() > kLongest) return false;
  return is_file_name(text) || is_page(text) || is_place_in_page(text) || is_version(text) || is_length(text) ||
         is_icon(text) || is_source(text) || is_function_of_css(text) || is_option(text) || is_path_of_windows(text) ||
         is_encoding(text) || is_name_of_program(text) || is_class_of_program(text) || is_host(text) ||
         is_numbered_name(text);
}

}  // namespace ventris::markup
