#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::markup {

/// Whether this byte of a text of Markdown is a tilde between two numbers or prices ("10~20", "$10~$20"), or between
/// letters of Chinese, Japanese or Korean. GitHub would strike out what is between two of them.
bool is_range_sign(std::string_view text, size_t at);

/// The text with hyphens in the place of such tildes. Takes a time that grows with it.
std::string with_plain_ranges(std::string text);

}  // namespace ventris::markup
