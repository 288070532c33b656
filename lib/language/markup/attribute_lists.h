#pragma once
#include <cstddef>
#include <string_view>

namespace ventris::markup {

/// The size of the list of attributes of Markdown with which the text begins: {#name}, {.class}, {: ...}, {=html},
/// {width=50%}, {-}, also with spaces behind the brace, if a name follows them ({ .class }). 0 if it begins with none.
size_t size_of_attribute_list(std::string_view text);

/// Whether the text is such a list, and nothing else.
inline bool is_attribute_list(std::string_view text) {
  return !text.empty() && size_of_attribute_list(text) == text.size();
}

}  // namespace ventris::markup
