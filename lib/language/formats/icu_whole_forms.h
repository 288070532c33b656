#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace ventris::formats {

/// The same message with the words around its patterns in the forms of these, so that each form is a whole text:
/// {n, plural, one {You have # day.} other {You have # days.}} for "You have {n, plural, one {# day} other {# days}}.".
/// Several patterns become patterns in forms. Nothing for a message without a pattern that has words around it, and for
/// one that cannot be written so: with over 64 forms, a form over 16 KiB, or with signs that would get another meaning
/// ("#" with an offset, apostrophes that would begin quotes).
std::optional<std::string> with_words_in_forms(std::string_view message);

}  // namespace ventris::formats
