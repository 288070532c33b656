#pragma once
#include <string_view>

namespace ventris::formats {

/// Whether a message is only a value that programs read: a colour ("#ff0000"), a language with its country ("en-US"), a
/// path ("/images/logo.png"), a media type ("image/png"), or a pattern of dates and times ("MM/DD/YYYY", "h:mm a").
bool is_technical_value(std::string_view message);

}  // namespace ventris::formats
