#pragma once
#include <span>
#include <string>
#include <string_view>

namespace ventris::core {

/// The entry of `choices` nearest in spelling to `word`; empty if none is within one edit plus one for every three
/// letters of `word`.
std::string nearest(std::string_view word, std::span<const std::string> choices);

/// " (did you mean 'x'?)" for the nearest choice, or empty: the end of a message about an unknown name.
std::string did_you_mean(std::string_view word, std::span<const std::string> choices);

}  // namespace ventris::core
