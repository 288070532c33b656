#include "metrics/tokenizers.h"

#include <algorithm>
#include <cstddef>

namespace ventris::metrics {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_stop(char c) { return c == '.' || c == ','; }

/// ASCII punctuation that always stands alone: all of it but ' , - and the full stop.
bool stands_alone(char c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= '!' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

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

std::string split_punctuation(const std::string& text) {
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

/// One pass of a substitution whose pattern is two characters: from left to right, a matched pair is used up. Bytes do
/// for characters here: the bytes of a longer character are neither digits nor ASCII punctuation.
template <typename Matches, typename Append>
std::string replace_pairs(const std::string& text, const Matches& matches, const Append& append) {
  std::string result;
  result.reserve(2 * text.size());
  size_t i = 0;
  while (i < text.size()) {
    if (i + 1 < text.size() && matches(text[i], text[i + 1])) {
      append(result, text[i], text[i + 1]);
      i += 2;
    } else {
      result += text[i++];
    }
  }
  return result;
}

std::string tokenize_13a(std::string_view line) {
  std::string text = " ";
  text.append(line).append(" ");
  replace_all(text, "<skipped>", "");
  replace_all(text, "-\n", "");
  std::replace(text.begin(), text.end(), '\n', ' ');
  // One after the other: "&amp;lt;" ends as "<", "&amp;quot;" as "&quot;".
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");

  text = split_punctuation(text);
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

}  // namespace

const std::vector<std::string>& tokenization_names() {
  static const std::vector<std::string> names{"13a", "none"};
  return names;
}

std::string tokenize(Tokenization tokenization, std::string_view line) {
  return tokenization == Tokenization::k13a ? tokenize_13a(line) : std::string(line);
}

bool looks_tokenized(const std::vector<std::string>& lines) {
  constexpr std::ptrdiff_t kSuspicious = 100;
  const auto detached = [](const std::string& line) { return line.ends_with(" ."); };
  return std::count_if(lines.begin(), lines.end(), detached) >= kSuspicious;
}

}  // namespace ventris::metrics
