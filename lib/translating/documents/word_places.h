#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace ventris::documents {

/// The byte of a target word that corresponds to this byte of its source, which is not at an end: between the same two
/// parts, if both words have the same signs between their letters ("a:b" and "cd:e"); or behind the same signs at their
/// beginnings, or in front of the same ones at their ends. All quotation marks are the same sign. Nothing if there is
/// no such byte, or a word is over 200 bytes long.
std::optional<size_t> place_in_word(std::string_view source, size_t at, std::string_view target);

}  // namespace ventris::documents
