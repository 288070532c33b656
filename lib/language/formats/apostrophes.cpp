#include "formats/apostrophes.h"

#include "formats/icu_pattern.h"

namespace ventris::formats {
namespace {

bool may_be_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<signed char>(c) < 0;
}

bool has_place_for_number(std::string_view text) {
  for (size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    if (at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9') return true;
  }
  return false;
}

}  // namespace

bool has_doubled_apostrophes(std::string_view message, bool java) {
  bool between_letters = false;
  for (size_t at = message.find('\''); at != std::string_view::npos; at = message.find('\'', at + 2)) {
    if (!message.substr(at).starts_with("''")) return false;
    between_letters = between_letters || (at > 0 && at + 2 < message.size() && may_be_letter(message[at - 1]) &&
                                          may_be_letter(message[at + 2]));
  }
  return between_letters || (java && has_place_for_number(message));
}

std::string with_single_apostrophes(std::string_view text, std::vector<ByteRange>& places) {
  std::string single;
  size_t next = 0;  // begin or end of a place: 2 * place, 2 * place + 1
  const auto bound = [&]() -> size_t& { return next % 2 == 0 ? places[next / 2].begin : places[next / 2].end; };
  for (size_t at = 0; at <= text.size(); ++at) {
    for (; next < 2 * places.size() && bound() <= at; ++next) bound() = single.size();
    if (at == text.size()) break;
    single += text[at];
    if (text.substr(at).starts_with("''")) ++at;
  }
  return single;
}

std::string with_doubled_apostrophes(std::string_view text) {
  std::string doubled;
  for (const char c : text) doubled.append(c == '\'' ? 2 : 1, c);
  return doubled;
}

std::string without_quoting_apostrophes(std::string translation, std::string_view message, ByteRange part) {
  const std::string_view source = part_of(message, part), behind = message.substr(part.end, 1);
  for (size_t at = source.find('\''); at != std::string_view::npos; at = source.find('\'', at + 1)) {
    if (begins_quote(source, at) || source.substr(at).starts_with("''")) return translation;
  }
  std::string safe;
  for (size_t at = 0; at < translation.size(); ++at) {
    const bool last =
        at + 1 == translation.size() && !behind.empty() && kQuotable.find(behind.front()) < kQuotable.size();
    const bool doubled = translation[at] == '\'' && (begins_quote(translation, at) || last);
    safe.append(doubled ? 2 : 1, translation[at]);
  }
  return safe;
}

}  // namespace ventris::formats
