#include "formats/conversions.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>

#include "markup/characters.h"

namespace ventris::formats {
namespace {

constexpr std::string_view kDigits = "0123456789";

/// The byte behind a conversion by a macro of <inttypes.h>, "<PRIu64>", that begins here; 0 if there is none.
size_t end_of_macro(std::string_view text, size_t at) {
  constexpr std::string_view kBegin = "<PRI";
  if (!text.substr(at).starts_with(kBegin)) return 0;
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  size_t end = at + kBegin.size();
  while (end < text.size() && is_name(text[end])) ++end;
  return end > at + kBegin.size() && text.substr(end).starts_with('>') ? end + 1 : 0;
}

/// The byte behind the flags, the width and the precision. A bracket of Java is a flag, but not that of a name.
size_t end_of_width(std::string_view text, size_t at) {
  at = std::min(text.find_first_not_of("-+ #0',", at), text.size());
  if (text.substr(at).starts_with('(')) {
    const size_t flags = std::min(text.find_first_not_of("-+ #0',(", at), text.size());
    if (flags > at + 1 || (flags < text.size() && kDigits.find(text[flags]) != std::string_view::npos)) at = flags;
  }
  return std::min(text.find_first_not_of("0123456789*.", at), text.size());
}

/// The places of conversions that take the next argument.
std::vector<ByteRange> places_of(std::string_view text) {
  std::vector<ByteRange> places;
  for (size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at)) {
    const size_t begin = at++;
    const size_t digits = std::min(text.find_first_not_of(kDigits, at), text.size());
    if (digits > at && text.substr(digits).starts_with('$')) continue;  // it has a number
    at = end_of_width(text, at);
    if (const size_t macro = end_of_macro(text, at); macro > 0) {
      places.push_back({begin, at = macro});
      continue;
    }
    at = std::min(text.find_first_not_of("hlqjztLZIw", at), text.size());
    if (at == text.size() || std::string_view("diouxXeEfFgGaAcCsSpnm@").find(text[at]) == std::string_view::npos) {
      at = std::max(begin + 1, std::min(at, text.size()));
      if (text.substr(begin + 1).starts_with('%')) at = begin + 2;
      continue;
    }
    places.push_back({begin, ++at});
  }
  return places;
}

/// The places of arguments in braces that take the next value: "{}", "{:>8}", "{!r}".
std::vector<ByteRange> braces_of(std::string_view text) {
  std::vector<ByteRange> places;
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
    const size_t end = text.find_first_of("{}", at + 1);
    const bool bare = end != std::string_view::npos && text[end] == '}' &&
                      (end == at + 1 || text[at + 1] == ':' || text[at + 1] == '!');
    if (bare) places.push_back({at, end + 1});
    at = bare || text.substr(at + 1).starts_with('{') ? std::max(end, at + 1) + 1 : at + 1;
  }
  return places;
}

std::vector<std::string> parts_at(std::string_view text, const std::vector<ByteRange>& places) {
  std::vector<std::string> found;
  for (const ByteRange& place : places) found.emplace_back(part_of(text, place));
  return found;
}

struct Arguments {
  std::string_view text;
  std::vector<ByteRange> places;
};

/// The translation, in which `write` gives each argument the number that it has in the source, from 0, if their order
/// differs; nothing if they are not the same, or `write` returns "".
std::optional<std::string> numbered(const Arguments& source, const Arguments& translation,
                                    const std::function<std::string(std::string_view, size_t)>& write) {
  const std::vector<std::string> wanted = parts_at(source.text, source.places);
  const std::vector<std::string> found = parts_at(translation.text, translation.places);
  if (found == wanted) return std::string(translation.text);
  if (found.size() != wanted.size()) return {};
  std::map<std::string_view, std::deque<size_t>> numbers;  // of equal arguments, in order
  for (size_t i = 0; i < wanted.size(); ++i) numbers[wanted[i]].push_back(i);
  std::vector<Replacement> replacements;
  for (size_t i = 0; i < found.size(); ++i) {
    std::deque<size_t>& left = numbers[found[i]];
    std::string text = left.empty() ? "" : write(found[i], left.front());
    if (text.empty()) return {};
    left.pop_front();
    replacements.push_back({translation.places[i], std::move(text)});
  }
  return replaced(translation.text, replacements);
}

/// "%2$d" of "%d"; nothing if it takes its width from another argument.
std::string numbered_conversion(std::string_view conversion, size_t number) {
  if (conversion.find('*') != std::string_view::npos) return "";
  return "%" + std::to_string(number + 1) + "$" + std::string(conversion.substr(1));
}

}  // namespace

std::vector<std::string> conversions_in(std::string_view text) { return parts_at(text, places_of(text)); }

std::optional<std::string> with_numbered_conversions(std::string_view source, std::string_view translation) {
  return numbered({source, places_of(source)}, {translation, places_of(translation)}, numbered_conversion);
}

std::optional<std::string> with_numbered_braces(std::string_view source, std::string_view translation) {
  const auto write = [](std::string_view argument, size_t number) {
    return "{" + std::to_string(number) + std::string(argument.substr(1));
  };
  return numbered({source, braces_of(source)}, {translation, braces_of(translation)}, write);
}

std::vector<std::string> unnumbered_arguments_in(std::string_view text) {
  std::vector<std::string> found = parts_at(text, places_of(text));
  for (std::string& argument : parts_at(text, braces_of(text))) found.push_back(std::move(argument));
  return found;
}

std::optional<std::string> with_numbers_from(std::string_view text, size_t first) {
  std::vector<Replacement> replacements;
  for (const ByteRange& place : places_of(text)) {
    std::string numbered = numbered_conversion(part_of(text, place), first++);
    if (numbered.empty()) return {};
    replacements.push_back({place, std::move(numbered)});
  }
  return replaced(text, replacements);
}

std::vector<ByteRange> numbered_arguments_in(std::string_view text) {
  std::vector<ByteRange> places;
  for (size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at)) {
    const size_t begin = at++;
    if (text.substr(at).starts_with('L')) ++at;
    const size_t most = std::min(at + 2, text.size());
    const size_t digits = std::min(text.find_first_not_of(kDigits, at), most);
    if (digits > at && text[at] != '0') {
      places.push_back({begin, at = digits});
    } else if (text.substr(at).starts_with('n')) {
      places.push_back({begin, ++at});
    }
  }
  return places;
}

std::vector<ByteRange> wiki_arguments_in(std::string_view text) {
  std::vector<ByteRange> places;
  for (size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.empty() || rest[0] < '1' || rest[0] > '9') continue;
    const auto is_digit = [&](size_t i) { return i < rest.size() && rest[i] >= '0' && rest[i] <= '9'; };
    const bool decimals = rest.size() > 1 && (rest[1] == '.' || rest[1] == ',') && is_digit(2);
    const bool behind_word = at > 0 && markup::is_alnum_byte(text[at - 1]);
    if (decimals || behind_word || (rest.size() > 1 && markup::is_alnum_byte(rest[1]))) continue;
    places.push_back({at, at + 2});
  }
  return places;
}

std::vector<ByteRange> dollar_arguments_in(std::string_view text) {
  std::vector<ByteRange> places = wiki_arguments_in(text);
  std::set<char> digits;
  for (const ByteRange& place : places) digits.insert(text[place.begin + 1]);
  const bool all = !digits.empty() && static_cast<size_t>(*digits.rbegin() - '0') == digits.size();
  return all ? places : std::vector<ByteRange>();
}

std::vector<ByteRange> wiki_links_in(std::string_view text) {
  std::vector<ByteRange> places;
  for (size_t at = text.find("[["); at != std::string_view::npos; at = text.find("[[", at + 1)) {
    const size_t end = text.find_first_of("[]\n", at + 2);
    if (end != std::string_view::npos && end > at + 2 && text.substr(end).starts_with("]]"))
      places.push_back({at, end + 2});
  }
  return places;
}

std::vector<ByteRange> macro_conversions_in(std::string_view text) {
  std::vector<ByteRange> places;
  for (size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at)) {
    const size_t begin = at++;
    if (text.substr(at).starts_with('%')) {
      ++at;
      continue;
    }
    const size_t digits = std::min(text.find_first_not_of(kDigits, at), text.size());
    const bool has_number = digits > at && text.substr(digits).starts_with('$');
    const size_t end = end_of_macro(text, end_of_width(text, has_number ? digits + 1 : at));
    if (end > 0) places.push_back({begin, at = end});
  }
  return places;
}

std::vector<ByteRange> tilde_directives_in(std::string_view text) {
  std::vector<ByteRange> places;
  for (size_t at = text.find('~'); at != std::string_view::npos; at = text.find('~', at)) {
    const size_t begin = at++;
    size_t end = at;
    while (end < text.size() && std::string_view("0123456789,'#:@+-").find(text[end]) != std::string_view::npos) {
      end += text[end] == '\'' && end + 1 < text.size() && static_cast<unsigned char>(text[end + 1]) < 0x80 ? 2 : 1;
    }
    const bool directive =
        end < text.size() && (markup::is_letter(text[end]) ||
                              std::string_view("%&|~*?<>[]{}()^;").find(text[end]) != std::string_view::npos);
    if (directive) places.push_back({begin, at = end + 1});
  }
  return places;
}

bool have_same_directives(std::string_view source, std::string_view translation) {
  return parts_at(source, tilde_directives_in(source)) == parts_at(translation, tilde_directives_in(translation));
}

}  // namespace ventris::formats
