#include "markup/number_ranges.h"

#include "markup/characters.h"
#include "markup/text_cursor.h"

namespace ventris::markup {
namespace {

bool is_of_range(UChar32 c) { return is_cjk(c) || (c >= '0' && c <= '9'); }

bool is_currency(UChar32 c) { return c >= 0 && u_charType(c) == U_CURRENCY_SYMBOL; }

}  // namespace

bool is_range_sign(std::string_view text, size_t at) {
  if (at == 0 || at + 1 >= text.size() || text[at] != '~') return false;
  const UChar32 before = character_before(text, at), next = character_at(text, at + 1);
  const size_t behind = after_character(text, at + 1);
  const bool price = is_currency(next) && behind < text.size() && is_digit_byte(text[behind]);
  return (is_of_range(before) || before == '%' || is_currency(before)) && (is_of_range(next) || price);
}

std::string with_plain_ranges(std::string text) {
  for (size_t at = text.find('~'); at != std::string::npos; at = text.find('~', at + 1)) {
    if (is_range_sign(text, at)) text[at] = '-';
  }
  return text;
}

}  // namespace ventris::markup
