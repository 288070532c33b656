#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/block_builder.h"
#include "markup/xml_events.h"

namespace ventris::markup {

/// Sets `translated` so that only the texts among the resources are: <string>, <item> in <string-array> and in
/// <plurals>, and <item type="string">, with what is inside them, unless they say something else.
void choose_android_texts(XmlDocument& xml);

/// Keeps texts without letters, such as "2024", and parts of white space at the ends of the others as they are. A text
/// is what is between two parts of kKept.
void keep_what_is_no_text(std::vector<Part>& parts);

/// The parts of a text of a string resource of Android (developer.android.com, "Handle special characters"). "\n" and
/// quotation marks around the text are kept, and other quotation marks without a backslash are hidden. "\'", "\"",
/// "\@", "\?" and "\u00fc" become characters; "\u0020" at the ends is a part of its own. Other escapes stay, as
/// placeholders. `part`: of XML, of kText.
std::vector<Part> android_parts(std::string_view document, const Part& part);

/// A text with backslashes, as it is written in a CDATA section of such a resource.
std::string escape_quotation_marks(std::string_view text);

/// A text as it is written in such a resource, with entities and backslashes.
std::string escape_android(std::string_view text);

/// The same at the beginning of a resource, where "@" and "?" would refer to another one.
std::string escape_android_start(std::string text);

}  // namespace ventris::markup
