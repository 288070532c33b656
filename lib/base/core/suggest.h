#pragma once
#include <span>
#include <string>
#include <string_view>

namespace ventris::core {

/// The entry of `choices` that `word` probably means: the shortest that begins with it (if it has two letters or more),
/// else the nearest in spelling, and of equally near ones that with the longest common beginning. Two swapped letters
/// are one edit. Empty if none is within one edit plus one for every three letters of `word`, dashes before it apart.
std::string nearest(std::string_view word, std::span<const std::string> choices);

/// " (did you mean 'x'?)" for the nearest choice, or empty: the end of a message about an unknown name.
std::string did_you_mean(std::string_view word, std::span<const std::string> choices);

}  // namespace ventris::core
