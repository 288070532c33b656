#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::documents {

/// The end of the placeholder that begins with the "%" at this byte: a conversion of printf, Python, Ruby, Qt, Boost,
/// Java or Apple, a field of a date, or a name between such signs ("%name%"); kNoEnd (sign_matcher.h): there is none.
/// `after_placeholder`: what is in front of it is one, and no number whose percent sign it could be.
size_t end_of_percent(std::string_view text, size_t at, bool after_placeholder);

}  // namespace ventris::documents
