#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

/// The end of braces that begin here and are balanced, also with strings in them ("{() => go('}')}"); npos if they do
/// not end within `most` bytes.
size_t end_of_balanced_braces(std::string_view text, size_t at, size_t most);

/// What the tags of a document have that no tag of HTML has: of JSX, as in MDX, the braces and the points in names
/// (<Button onClick={() => go("a")}>, <Tabs values={[{a: 1}]} {...all}>, <Tabs.Item>); of Vue, the signs in front of
/// events and slots (<button @click="go">, <template #footer>); of both, the line end in front of a ">" that begins a
/// line, where Markdown would see a quotation. Takes a time that grows with the document.
std::vector<text::ByteRange> jsx_in_tags(std::string_view document);

/// The document with letters in the place of these, and spaces in that of line ends, so that the tags are tags of HTML.
/// Places stay.
/// The signs of Vue become colons, which it writes in front of other attributes.
std::string with_plain_tags(std::string document, const std::vector<text::ByteRange>& jsx);

}  // namespace ventris::markup
