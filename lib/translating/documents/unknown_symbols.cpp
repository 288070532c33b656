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

/// Whether an id stands for something that the tokenizer has no piece for.
bool is_unknown(int32_t id, const text::Tokenizer& tokenizer) {
  return id == core::SpecialIds().unk || tokenizer.piece(id).starts_with("<0x");
}

bool knows(const text::Tokenizer& tokenizer, std::string_view symbols) {
  const std::vector<int32_t> ids = tokenizer.encode(symbols);
  return std::ranges::none_of(ids, [&](int32_t id) { return is_unknown(id, tokenizer); });
}

size_t end_of_symbols(std::string_view text, size_t at) {
  return markup::end_of_run(text, at, [](UChar32 c) { return is_symbol(c) || continues_pictograph(c); });
}

}  // namespace

std::vector<text::ByteRange> unknown_symbols(std::string_view text, const text::Tokenizer& source,
                                             const text::Tokenizer& target) {
  std::vector<text::ByteRange> found;
  for (size_t at = 0; at < text.size();) {
    if (!is_symbol(markup::character_at(text, at))) {
      at = markup::after_character(text, at);
      continue;
    }
    const size_t end = end_of_symbols(text, at);
    const std::string_view symbols = text.substr(at, end - at);
    if (!knows(source, symbols) || !knows(target, symbols)) found.push_back({at, end});
    at = end;
  }
  return found;
}

bool are_only_symbols(std::string_view text) {
  return !text.empty() && is_symbol(markup::character_at(text, 0)) && end_of_symbols(text, 0) == text.size();
}

}  // namespace ventris::documents
