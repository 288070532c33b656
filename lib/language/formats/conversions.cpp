#include "formats/conversions.h"

#include <algorithm>

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

/// The byte behind the flags, the width and the precision.
size_t end_of_width(std::string_view text, size_t at) {
  at = std::min(text.find_first_not_of("-+ #0'", at), text.size());
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
    at = std::min(text.find_first_not_of("hlqjztL", at), text.size());
    if (at == text.size() || std::string_view("diouxXeEfFgGaAcCsSpnm@").find(text[at]) == std::string_view::npos) {
      at = std::max(begin + 1, std::min(at, text.size()));
      if (text.substr(begin + 1).starts_with('%')) at = begin + 2;
      continue;
    }
    places.push_back({begin, ++at});
  }
  return places;
}

}  // namespace

std::vector<std::string> conversions_in(std::string_view text) {
  std::vector<std::string> found;
  for (const ByteRange& place : places_of(text)) found.emplace_back(part_of(text, place));
  return found;
}

std::optional<std::string> with_numbered_conversions(std::string_view source, std::string_view translation) {
  std::vector<std::string> wanted = conversions_in(source);
  const std::vector<std::string> found = conversions_in(translation);
  if (found == wanted) return std::string(translation);
  std::vector<Replacement> replacements;
  const std::vector<ByteRange> places = places_of(translation);
  for (size_t i = 0; i < found.size(); ++i) {
    const auto argument = std::ranges::find(wanted, found[i]);
    if (argument == wanted.end() || found[i].find('*') != std::string::npos) return {};
    const auto number = argument - wanted.begin() + 1;
    replacements.push_back({places[i], "%" + std::to_string(number) + "$" + found[i].substr(1)});
    argument->clear();  // it has its place
  }
  const bool all = std::ranges::all_of(wanted, &std::string::empty);
  return all ? std::optional(replaced(translation, replacements)) : std::nullopt;
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

}  // namespace ventris::formats
