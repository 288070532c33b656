#pragma once
#include <string>
#include <string_view>

namespace ventris::metrics {

/// The text in capitals, by the rules of Unicode for all languages ("ß" becomes "SS"; "i" becomes "I", in any locale).
/// `text` is valid UTF-8.
std::string upper_case(std::string_view text);

/// The text with a capital at the beginning of each word (Unicode's title case); all other letters stay as they are.
std::string title_case(std::string_view text);

}  // namespace ventris::metrics
