#pragma once
#include <string_view>

namespace ventris::documents {

/// Whether it is a unit that is written alike in many languages: "GB", "px", "min".
bool is_unit_symbol(std::string_view text);

/// Whether it is an English word for a unit, which is translated: "hours".
bool is_unit_word(std::string_view text);

}  // namespace ventris::documents
