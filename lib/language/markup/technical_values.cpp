#include "markup/technical_values.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "markup/characters.h"
#include "markup/encoded_values.h"
#include "markup/technical_names.h"

namespace ventris::markup {
namespace {

constexpr std::string_view kAsciiLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

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
  const size_t digit = text.find_first_of("0123456789");
  const bool number = digit != std::string_view::npos && std::ranges::count(text, '/') > 1;  // "/api/v1", not "/2weeks"
  const bool sign = text.find('.') != std::string_view::npos || number;
  return begins && text.size() > 2 && sign && text.find_first_of(kAsciiLetters) != std::string_view::npos &&
         all(text, of_path);
}

/// Whether the text begins like the form, in which 9 stands for a digit, A for a capital and a for a letter.
bool begins_like(std::string_view text, std::string_view form) {
  if (text.size() < form.size()) return false;
  return std::equal(form.begin(), form.end(), text.begin(), [](char sign, char c) {
    const auto byte = static_cast<unsigned char>(c);
    return sign == '9'   ? std::isdigit(byte) != 0
           : sign == 'A' ? std::isupper(byte) != 0
           : sign == 'a' ? std::isalpha(byte) != 0
                         : sign == c;
  });
}

bool is_moment(std::string_view text) {
  constexpr std::string_view kIso = "9999-99-99T99:99";
  if (begins_like(text, kIso)) {
    return text.substr(kIso.size()).find_first_not_of("0123456789:.,+-Z") == std::string_view::npos;
  }
  constexpr std::string_view kMail = "aaa, 99 aaa 9999 99:99:99";
  constexpr size_t kLongestZone = 6;  // " +0100"
  return begins_like(text, kMail) && text.size() <= kMail.size() + kLongestZone;
}

bool is_identifier(std::string_view text) {
  constexpr size_t kLeastOfHash = 32, kShortestIban = 15, kLongestIban = 34, kBytesOfUuid = 36;
  const bool digits = text.find_first_of("0123456789") != std::string_view::npos;
  if (text.size() >= kLeastOfHash && digits && all(text, hexadecimal)) return true;
  if (begins_like(text, "AA99") && text.size() >= kShortestIban && text.size() <= kLongestIban) {
    return all(text, [](int c) { return static_cast<int>(std::isupper(c) != 0 || std::isdigit(c) != 0); });
  }
  if (text.size() != kBytesOfUuid) return false;
  for (size_t at = 0; at < text.size(); ++at) {
    const bool dash = at == 8 || at == 13 || at == 18 || at == 23;
    if (dash ? text[at] != '-' : hexadecimal(static_cast<unsigned char>(text[at])) == 0) return false;
  }
  return true;
}

bool is_address(std::string_view text) {
  const bool spaces = text.find_first_of(" \t\n") != std::string_view::npos;
  const bool data = text.starts_with("data:") && text.find(',') != std::string_view::npos &&
                    text.substr(0, text.find(',')).find_first_of("/;") != std::string_view::npos;
  const bool mail = text.starts_with("mailto:") && text.find('@') != std::string_view::npos;
  return !spaces && (data || mail || begins_like(text, "tel:+9") || begins_like(text, "tel:9"));
}

bool is_media_type(std::string_view text) {
  constexpr std::array<std::string_view, 6> kTypes{"image/", "text/", "audio/", "video/", "font/", "application/"};
  constexpr std::array<std::string_view, 22> kNames{"png", "jpeg", "gif",  "webp", "avif", "bmp",       "plain", "html",
                                                    "css", "csv",  "xml",  "json", "pdf",  "zip",       "gzip",  "mpeg",
                                                    "ogg", "wav",  "webm", "woff", "ttf",  "javascript"};
  return std::ranges::any_of(kTypes, [&](std::string_view type) {
    if (!text.starts_with(type)) return false;
    const std::string_view name = text.substr(type.size()).substr(0, text.substr(type.size()).find(';'));
    const bool known = std::ranges::find(kNames, name) != kNames.end();
    return known || (name.find_first_of(".+-0123456789") != std::string_view::npos && all(name, of_media));
  });
}

/// "Y-m-d", "F j, Y", "l, jS F Y", "g:i a": single letters of PHP with signs between, among them a month with a day or
/// a year, or hours with minutes. Of two letters, one is a month in words ("F Y", and not "y/n").
bool is_date_format_of_php(std::string_view text) {
  constexpr std::string_view kLetters = "dDjlNwzWFmMntLoYyaABgGhHisTPfOe", kSigns = " ,.-/:";
  std::string letters;
  for (size_t at = 0; at < text.size();) {
    if (kLetters.find(text[at]) == std::string_view::npos) return false;
    letters += text[at];
    at += text.substr(at).starts_with("jS") ? 2 : 1;
    const size_t next = std::min(text.find_first_not_of(kSigns, at), text.size());
    if (next == at && at < text.size()) return false;
    at = next;
  }
  const auto has = [&](std::string_view some) { return letters.find_first_of(some) != std::string::npos; };
  const bool time = has("gGhH") && text.find(":i") != std::string_view::npos;
  const bool month = has("FM") || (letters.size() > 2 && has("mnN"));
  return letters.size() > 1 && (time || (month && has("jdYy")));
}

/// The pattern without words in brackets or apostrophes, as moment.js and Java write them: "MMMM D [at] h:mm A".
std::string without_words_of_date(std::string_view text) {
  std::string rest;
  for (size_t at = 0; at < text.size(); ++at) {
    const char close = text[at] == '[' ? ']' : text[at] == '\'' ? '\'' : '\0';
    const size_t end = close == '\0' ? std::string_view::npos : text.find(close, at + 1);
    if (end == std::string_view::npos) {
      rest += text[at];
      continue;
    }
    at = end;
    if (at + 1 < text.size() && text[at + 1] == ' ' && rest.ends_with(' ')) ++at;
  }
  return rest;
}

/// Runs of one letter each, of at least two letters, with signs between; one of them is doubled.
bool is_date_pattern(std::string_view text) {
  constexpr std::string_view kLetters = "yYMDdHhmsSaAzZE", kSigns = "/:.-, ";
  constexpr size_t kLongest = 60;
  if (text.size() > kLongest) return false;
  if (is_date_format_of_php(text)) return true;
  if (const std::string rest = without_words_of_date(text); rest != text) return is_date_pattern(rest);
  bool doubled = false, several = false;
  size_t runs = 0;
  for (size_t at = 0; at < text.size(); ++runs) {
    if (kLetters.find(text[at]) == std::string_view::npos) return false;
    size_t end = std::min(text.find_first_not_of(text[at], at), text.size());
    doubled = doubled || end - at > 1;
    const bool ordinal =
        text.substr(end).starts_with('o') && std::string_view("MDd").find(text[at]) != std::string::npos;
    if (ordinal) ++end;  // "Do": 1st
    several = several || text[at] != text.front();
    at = std::min(text.find_first_not_of(kSigns, end), text.size());
    if (at == end && at < text.size()) return false;
  }
  const bool date = text.find_first_of("yYdDhH") != std::string_view::npos || text.find(':') != std::string_view::npos;
  return doubled && several && runs > 1 && date;
}

/// A regular expression without spaces: from its beginning to its end ("^[a-z]+$"), or with a set of letters and a
/// number of times ("[A-Za-z0-9]{3,}").
bool is_regular_expression(std::string_view text) {
  if (text.find_first_of(" \t\n") != std::string_view::npos) return false;
  if (text.size() > 2 && text.starts_with('^') && text.ends_with('$')) return true;
  const size_t end = text.find("]{");
  const bool set = text.find("[a-z") < end || text.find("[A-Z") < end || text.find("[0-9") < end;
  return end != std::string_view::npos && set && is_digit_byte(text.substr(end).size() > 2 ? text[end + 2] : ' ');
}

}  // namespace

bool is_technical_value(std::string_view message) {
  if (message == "true" || message == "false" || message == "null") return true;
  if (message == "ltr" || message == "rtl") return true;  // the direction of writing
  if (message.starts_with("nplurals=")) return true;  // of gettext and Jed
  if (is_moment(message) || is_identifier(message) || is_address(message)) return true;
  return is_colour(message) || is_locale(message) || is_path(message) || is_media_type(message) ||
         is_date_pattern(message) || is_regular_expression(message) || is_technical_name(message) ||
         is_encoded_value(message);
}

}  // namespace ventris::markup
