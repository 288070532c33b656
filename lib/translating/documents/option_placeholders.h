#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::documents {

/// The end of an option of a command that begins with the hyphen at this byte, "--all", "--output=FILE" or "-h"; kNoEnd
/// (sign_matcher.h): there is none, as in "well-known", "-5" and " - ".
size_t end_of_option(std::string_view text, size_t at);

/// The end of a variable with its value, "LC_ALL=C", that begins with the capital at this byte; kNoEnd: there is none.
size_t end_of_variable(std::string_view text, size_t at);

}  // namespace ventris::documents
