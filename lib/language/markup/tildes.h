#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::markup {

/// Whether a single tilde at this byte of a text of Markdown may end struck-out text by the rules of GitHub: it touches
/// what is in front of it. Not between two numbers or prices ("10~20", "$10~$20"), nor between letters of Chinese,
/// Japanese or Korean. What is in front of the text is taken for a space.
bool may_close_tilde(std::string_view text, size_t at);

/// A document of Markdown with commas in the place of its single tildes that strike nothing out: they are no pair, as
/// in "~5 KB (~2 KB zipped)", or stand in a range. The parser (md4c 0.4.8) takes any two of them for a pair. Takes a
/// time that grows with the document.
std::string with_plain_tildes(std::string document);

}  // namespace ventris::markup
