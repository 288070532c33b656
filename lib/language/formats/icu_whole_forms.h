#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/icu_forms.h"

namespace ventris::formats {

/// The same message with the words around its patterns in the forms of these, so that each form is a whole text:
/// {n, plural, one {You have # day.} other {You have # days.}} for "You have {n, plural, one {# day} other {# days}}.".
/// Several patterns become patterns in forms. Nothing for a message without a pattern that has words around it, with a
/// pattern in a tag, or for one that cannot be written so: with over 64 forms, with forms that are together more than 8
/// times as long as the message, or with signs that would get another meaning ("#" with an offset, apostrophes that
/// would begin quotes). `may_quote`: whether "#" may be written as a quoted part: '#'.
std::optional<std::string> with_words_in_forms(std::string_view message, bool may_quote = true);

/// icu_forms() of a message after with_words_in_forms(), which becomes the message. If there are none, it stays.
std::vector<IcuForm> take_forms(std::string& message, bool may_quote = true);

}  // namespace ventris::formats
