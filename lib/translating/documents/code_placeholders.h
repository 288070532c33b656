#pragma once
#include <cstddef>
#include <string_view>

#include "text/tokenizer.h"

/// Where code in a text ends that begins at byte `at`; 0 = there is none.
namespace ventris::documents {

/// "<code>npm install</code>", and other elements whose content HTML does not translate, or that have translate="no" or
/// the class "notranslate". `start_tag`: what may be the start tag.
size_t end_of_code_element(std::string_view text, text::ByteRange start_tag);

/// "{$START_TAG_MAT_ICON}home{$CLOSE_TAG_MAT_ICON}": tags of Angular in JSON whose words are code or the name of an
/// icon
size_t end_of_angular_code(std::string_view text, size_t at);

/// "`npm install`", as Markdown writes code, not "`a' and `b'" of GNU.
size_t end_of_backticks(std::string_view text, size_t at);

}  // namespace ventris::documents
