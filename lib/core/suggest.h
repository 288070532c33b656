#pragma once
#include <span>
#include <string>
#include <string_view>

namespace ventris::core {

/// The one of `choices` nearest in spelling to `word`, or empty if none is near: within one edit and another for every
/// three letters of `word`.
std::string nearest(std::string_view word, std::span<const std::string> choices);

/// " (did you mean 'x'?)" for the nearest choice, or empty: the tail of a message about an unknown name.
std::string did_you_mean(std::string_view word, std::span<const std::string> choices);

}  // namespace ventris::core
