#pragma once
#include <string>
#include <string_view>

#include "serving/http_message.h"

namespace ventris::serving {

/// Decodes %41; with `plus`, a + becomes a space. Throws RequestError (400) for a % without two hexadecimal digits.
std::string percent_decoded(std::string_view text, bool plus);

/// Reads a=1&b=2, as in a query string or in a body of the type application/x-www-form-urlencoded. Throws RequestError
/// (400) for more than kMostFields fields, and as percent_decoded().
Fields parse_form(std::string_view text);

inline constexpr size_t kMostFields = 5000;

}  // namespace ventris::serving
