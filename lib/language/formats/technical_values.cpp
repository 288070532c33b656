#include "formats/technical_values.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ventris::formats {
namespace {

template <typename Is>
bool all(std::string_view text, const Is& is) {
  return std::ranges::all_of(text, [&](unsigned char c) { return is(c) != 0; });
}
int hexadecimal(int c) { return std::isxdigit(c); }
int lower(int c) { return std::islower(c); }
int upper(int c) { return std::isupper(c); }
int of_path(int c) { return static_cast<int>(std::isalnum(c) != 0 || c == '/' || c == '.' || c == '-' || c == '_'); }

int of_media(int c) { return static_cast<int>(std::isalnum(c) != 0 || c == '.' || c == '+' || c == '-'); }

bool is_colour(std::string_view text) {
  if (!text.starts_with('#')) return false;
  const size_t digits = text.size() - 1;
  const bool word = text.find_first_of("0123456789") == std::string_view::npos &&  // "#facade", not "#fff"
                    text.find_first_not_of(text.substr(1, 1), 1) != std::string_view::npos;
  return (digits == 3 || digits == 4 || digits == 6 || digits == 8) && !word && all(text.substr(1), hexadecimal);
}

bool is_locale(std::string_view text) {
  if (text.size() != 5 || (text[2] != '-' && text[2] != '_')) return false;
  return all(text.substr(0, 2), lower) && all(text.substr(3), upper);
}

bool is_path(std::string_view text) {
  const bool begins = text.starts_with('/') || text.starts_with("./") || text.starts_with("../");
  return begins && text.size() > 2 && text.find('.') != std::string_view::npos && all(text, of_path);
}

bool is_media_type(std::string_view text) {
  constexpr std::array<std::string_view, 6> kTypes{"image/", "text/", "audio/", "video/", "font/", "application/"};
  constexpr std::array<std::string_view, 22> kNames{"png", "jpeg", "gif",  "webp", "avif", "bmp",       "plain", "html",
                                                    "css", "csv",  "xml",  "json", "pdf",  "zip",       "gzip",  "mpeg",
                                                    "ogg", "wav",  "webm", "woff", "ttf",  "javascript"};
  return std::ranges::any_of(kTypes, [&](std::string_view type) {
    if (!text.starts_with(type)) return false;
    const std::string_view name = text.substr(type.size());
    const bool known = std::ranges::find(kNames, name) != kNames.end();
    return known || (name.find_first_of(".+-0123456789") != std::string_view::npos && all(name, of_media));
  });
}

/// Runs of one letter each, of at least two letters, with signs between; one of them is doubled.
bool is_date_pattern(std::string_view text) {
  constexpr std::string_view kLetters = "yYMDdHhmsSaAzZ", kSigns = "/:.-, ";
  bool doubled = false, several = false;
  size_t runs = 0;
  for (size_t at = 0; at < text.size(); ++runs) {
    if (kLetters.find(text[at]) == std::string_view::npos) return false;
    const size_t end = std::min(text.find_first_not_of(text[at], at), text.size());
    doubled = doubled || end - at > 1;
    several = several || text[at] != text.front();
    at = std::min(text.find_first_not_of(kSigns, end), text.size());
    if (at == end && at < text.size()) return false;
  }
  return doubled && several && runs > 1;
}

}  // namespace

bool is_technical_value(std::string_view message) {
  return is_colour(message) || is_locale(message) || is_path(message) || is_media_type(message) ||
         is_date_pattern(message);
}

}  // namespace ventris::formats
