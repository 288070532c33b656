#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::documents {

/// The end of the tag that begins with the "<" at this byte: of HTML, XML or React, of ERB or PHP, a comment, or a name
/// such as "<<name>>"; an element of code ends with its end tag. kNoEnd (sign_matcher.h): there is none.
size_t end_of_tag(std::string_view text, size_t at);

/// The end of the tag that begins with the "&lt;" at this byte, as a text that is read as HTML twice has it:
/// "&lt;b&gt;", "&lt;/b&gt;", "&lt;a href=&quot;b&quot;&gt;"; an element of code ends with its end tag. kNoEnd: there
/// is none, as in "a &lt; b".
size_t end_of_escaped_tag(std::string_view text, size_t at);

/// The place of the ">" of words in angle brackets that are no tag, and whose "<" is at this byte: "<No selection>",
/// "<your name>". They are several words of letters, the first of which is no element of HTML in small letters. kNoEnd:
/// there are none; a single word is a name ("<source>").
size_t end_of_bracketed_words(std::string_view text, size_t at);

}  // namespace ventris::documents
