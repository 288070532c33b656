#pragma once
#include <string_view>

namespace ventris::markup {

/// Whether a message is only a value that programs read: a colour ("#ff0000"), a language with its country ("en-US"), a
/// path ("/images/logo.png", "/api/v1/books"), a media type ("image/png"), a date with its time as programs write it
/// ("2020-01-01T10:00:00Z", "Wed, 01 Jan 2020 10:00:00 GMT"), a pattern of dates and times ("MM/DD/YYYY", "h:mm a",
/// "Y-m-d H:i", "F j, Y"), the plural forms of gettext ("nplurals=2; ..."), a UUID, a hash, an account number (IBAN),
/// a regular expression ("^[a-z]+$"), an address of the kinds data:, mailto: and tel:, data that are written as letters
/// (is_encoded_value), or a name (is_technical_name).
bool is_technical_value(std::string_view message);

}  // namespace ventris::markup
