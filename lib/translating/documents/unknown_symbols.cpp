#include "documents/unknown_symbols.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <string>

#include "core/special_ids.h"
#include "documents/sentence_characters.h"
#include "markup/text_cursor.h"

namespace ventris::documents {
namespace {

constexpr UChar32 kObjectSign = 0xFFFC;

bool is_symbol(UChar32 c) {
  const bool other = c > 0xFF && c != kObjectSign && u_charType(c) == U_OTHER_SYMBOL;
  return other || is_pictograph(c);
}

/// Whether it is a raised or lowered digit, sign or bracket, a fraction, or a raised "n" or "i": "²", "₂", "⁻", "½".
bool is_raised_or_fraction(UChar32 c) {
  constexpr UChar32 kRaisedN = 0x207F, kRaisedI = 0x2071;
  if (c == kRaisedN || c == kRaisedI) return true;
  const auto type = static_cast<UDecompositionType>(u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE));
  const bool raised = type == U_DT_SUPER || type == U_DT_SUB;
  switch (u_charType(c)) {
    case U_OTHER_NUMBER: return raised || type == U_DT_FRACTION;
    case U_MATH_SYMBOL:
    case U_START_PUNCTUATION:
    case U_END_PUNCTUATION: return raised;
    default: return false;
  }
}

/// Whether Unicode's compatible form of the character is plain letters or digits, which are no translation of it: "™"
/// is "TM", "③" is "3", "½" is "1⁄2". Words in one character, such as "㈱", are none.
bool is_compatible(UChar32 c) {
  if (is_raised_or_fraction(c)) return true;
  const auto type = static_cast<UDecompositionType>(u_getIntPropertyValue(c, UCHAR_DECOMPOSITION_TYPE));
  return (u_charType(c) == U_OTHER_NUMBER && type == U_DT_CIRCLE) ||
         (u_charType(c) == U_OTHER_SYMBOL && type == U_DT_SUPER);
}

/// Whether an id stands for something that the tokenizer has no piece for.
bool is_unknown(int32_t id, const text::Tokenizer& tokenizer) {
  return id == core::SpecialIds().unk || tokenizer.piece(id).starts_with("<0x");
}

bool knows(const text::Tokenizer& tokenizer, std::string_view symbols) {
  const std::vector<int32_t> ids = tokenizer.encode(symbols);
  return std::ranges::none_of(ids, [&](int32_t id) { return is_unknown(id, tokenizer); });
}

/// Whether the tokenizer has the characters as they are, and not as "1⁄2" for "½".
bool keeps(const text::Tokenizer& tokenizer, std::string_view text) {
  return knows(tokenizer, text) && tokenizer.decode(tokenizer.encode(text)) == text;
}

size_t end_of_symbols(std::string_view text, size_t at) {
  return markup::end_of_run(text, at,
                            [](UChar32 c) { return (is_symbol(c) && !is_compatible(c)) || continues_pictograph(c); });
}

size_t end_of_compatible(std::string_view text, size_t at) {
  return markup::end_of_run(text, at, [](UChar32 c) { return is_compatible(c) || continues_pictograph(c); });
}

}  // namespace

std::vector<text::ByteRange> unknown_symbols(std::string_view text, const text::Tokenizer& source,
                                             const text::Tokenizer& target) {
  std::vector<text::ByteRange> found;
  for (size_t at = 0; at < text.size();) {
    const UChar32 first = markup::character_at(text, at);
    const bool compatible = is_compatible(first);
    if (!compatible && !is_symbol(first)) {
      at = markup::after_character(text, at);
      continue;
    }
    const size_t end = compatible ? end_of_compatible(text, at) : end_of_symbols(text, at);
    const std::string_view symbols = text.substr(at, end - at);
    const bool known = compatible ? keeps(source, symbols) && keeps(target, symbols)
                                  : knows(source, symbols) && knows(target, symbols);
    if (!known) found.push_back({at, end});
    at = end;
  }
  return found;
}

bool are_only_symbols(std::string_view text) {
  return !text.empty() && is_symbol(markup::character_at(text, 0)) && end_of_symbols(text, 0) == text.size();
}

}  // namespace ventris::documents
