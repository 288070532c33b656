#pragma once
#include <string_view>
#include <vector>

namespace ventris::markup {

/// Where a browser ends an element of code that has no end tag (WHATWG HTML, section 13.2.6): `code` and `tt` go on
/// behind all tags but those of table cells and the like; `pre` ends with the element around it; all others end with
/// any element around them, or where a paragraph or item around them ends. What never ends goes on to the end of the
/// document. `code`: the name of the element; all names are in small letters.
bool ends_with(std::string_view code, std::string_view element);

/// The elements that a start tag ends, so that what is inside ends, too: those around <li>, such as another <li>.
std::vector<std::string_view> ended_by_start_tag(std::string_view name);

/// Whether code inside `element` ends where the start tag of another element ends that one.
bool ends_at_start_tag(std::string_view code, std::string_view element);

/// Whether the element goes on behind the end of the elements around it.
bool is_formatting_code(std::string_view code);

}  // namespace ventris::markup
