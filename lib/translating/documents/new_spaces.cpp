#include "documents/new_spaces.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <set>

#include "markup/text_cursor.h"
#include "metrics/unicode.h"

namespace ventris::documents {
namespace {

bool opens_text(UChar32 sign) {
  const int kind = u_charType(sign);
  return kind == U_START_PUNCTUATION || kind == U_INITIAL_PUNCTUATION || sign == '"' || sign == '\'';
}

bool closes_text(UChar32 sign) {
  constexpr std::u32string_view kOthers = U".,;:!?\"'-/\u2026";
  const int kind = u_charType(sign);
  return kind == U_END_PUNCTUATION || kind == U_FINAL_PUNCTUATION ||
         kOthers.find(static_cast<char32_t>(sign)) != std::u32string_view::npos;
}

/// The signs that open (or close) a text, with a space behind (or in front of) them in the masked text, but nowhere in
/// the sentence. Each is looked for once.
std::vector<std::string> signs_of(const markup::MarkedText& sentence, const std::string& masked, bool open) {
  std::set<UChar32> seen;
  std::vector<std::string> signs;
  for (size_t at = masked.find(' '); at != std::string::npos; at = masked.find(' ', at + 1)) {
    const UChar32 sign = open ? markup::character_before(masked, at) : markup::character_at(masked, at + 1);
    if (sign < 0 || !(open ? opens_text(sign) : closes_text(sign)) || !seen.insert(sign).second) continue;
    const std::string written = metrics::encode(std::u32string(1, static_cast<char32_t>(sign)));
    if (sentence.text.find(open ? written + " " : " " + written) == std::string::npos) signs.push_back(written);
  }
  return signs;
}

}  // namespace

std::string NewSpaces::removed_from(const std::string& part, std::string_view before) const {
  if (opening.empty() && closing.empty()) return part;
  std::string text;
  for (size_t i = 0; i < part.size(); ++i) {
    const std::string_view last = text.empty() ? before : text, next = std::string_view(part).substr(i + 1);
    const auto opens = [&](const std::string& sign) { return last.ends_with(sign); };
    const auto closes = [&](const std::string& sign) { return next.starts_with(sign); };
    const bool is_new = std::ranges::any_of(opening, opens) || std::ranges::any_of(closing, closes);
    if (part[i] != ' ' || !is_new) text += part[i];
  }
  return text;
}

NewSpaces new_spaces_of(const markup::MarkedText& sentence, const std::string& masked) {
  if (sentence.objects.empty()) return {};
  return {signs_of(sentence, masked, true), signs_of(sentence, masked, false)};
}

}  // namespace ventris::documents
