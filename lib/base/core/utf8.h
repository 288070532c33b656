#pragma once
#include <cstddef>
#include <string>
#include <string_view>

/// Reads and writes UTF-8 (Unicode 15, table 3-7 and section 3.9).
namespace ventris::core {

/// A character, or a maximal ill-formed part.
struct Utf8Unit {
  size_t length;  ///< bytes, at least 1
  bool valid;
};

/// The unit that begins at byte `start`, which must be inside `bytes`.
Utf8Unit utf8_unit_at(std::string_view bytes, size_t start);

/// The code point of one valid character.
char32_t code_point(std::string_view character);

/// The bytes of a code point, at most 0x10FFFF.
std::string utf8_of(char32_t code);

/// The longest prefix of at most `max_bytes` bytes that does not cut a character.
std::string_view cut_utf8(std::string_view text, size_t max_bytes);

}  // namespace ventris::core
