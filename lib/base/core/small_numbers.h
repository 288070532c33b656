#pragma once
#include <string>

namespace ventris::core {

/// A text in JSON with shortened numbers, because the parser refuses those beyond the range of a double, such as 1e400.
/// All other characters keep their places, and what is no JSON stays none.
std::string with_small_numbers(std::string text);

}  // namespace ventris::core
