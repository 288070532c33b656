#include "metrics/substitutions.h"

namespace ventris::metrics {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_stop(char c) { return c == '.' || c == ','; }

bool stands_alone(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= '!' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

}  // namespace

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  size_t found = text.find(from);
  if (found == std::string::npos) return;
  std::string result;
  size_t copied = 0;
  for (; found != std::string::npos; found = text.find(from, copied)) {
    result.append(text, copied, found - copied).append(to);
    copied = found + from.size();
  }
  text = result.append(text, copied);
}

void unescape_entities(std::string& text) {
  if (text.find('&') == std::string::npos) return;
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
}

std::string split_ascii_punctuation(std::string_view text) {
  std::string result;
  result.reserve(2 * text.size());
  for (const char c : text) {
    if (stands_alone(c)) {
      result.append({' ', c, ' '});
    } else {
      result += c;
    }
  }
  return result;
}

/// Bytes do for characters here: the bytes of a longer character are neither digits nor ASCII punctuation.
std::string split_stops_and_dashes(std::string text) {
  text = replace_pairs(
      text, [](char first, char second) { return !is_digit(first) && is_stop(second); },
      [](std::string& out, char first, char second) { out.append({first, ' ', second, ' '}); });
  text = replace_pairs(
      text, [](char first, char second) { return is_stop(first) && !is_digit(second); },
      [](std::string& out, char first, char second) { out.append({' ', first, ' ', second}); });
  return replace_pairs(
      text, [](char first, char second) { return is_digit(first) && second == '-'; },
      [](std::string& out, char first, char second) { out.append({first, ' ', second, ' '}); });
}

}  // namespace ventris::metrics
