#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "formats/document_text.h"

namespace ventris::formats {

/// The text with characters in the place of those entities of HTML that are a part of a word: letters ("caf&eacute;"),
/// apostrophes ("it&rsquo;s", "don&#39;t") and characters that are not seen ("Donau&shy;dampf"), with a letter beside
/// them. A program that shows the message as HTML shows the same. Entities inside the places, tags,
/// addresses and code in backticks stay. Moves the places,
/// which are in the text, are sorted and do not overlap.
std::string with_letters(std::string_view text, std::vector<ByteRange>& places);

}  // namespace ventris::formats
