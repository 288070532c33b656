#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::text {

/// Limits for the compiled normalisation rules in a SentencePiece model ("precompiled_charsmap"). The rules that
/// SentencePiece makes (nmt_nfkc and its variants) have 240,000 to 320,000 bytes, with texts of at most 33 bytes.
inline constexpr size_t kLargestCharsmap = size_t{1} << 23;  ///< bytes
inline constexpr size_t kLongestRule = 512;  ///< bytes of the text that a rule replaces, and of its replacement
inline constexpr size_t kMostGrowth = 16;  ///< bytes of a replacement per replaced byte; usually at most 11
inline constexpr size_t kMostNestedRules = 32;  ///< rules that apply at one place; the library has no room for more

/// Checks the rules before the library uses them; it would follow bad ones out of their table. The format: the size of
/// the table in bytes (32 bits, little-endian); the table, a double array (Darts-clone: units of 32 bits, each with a
/// label, an offset and a flag for a value); then texts, each ending with a NUL. A value is the place of a text.
/// Everything that any input can reach is checked: each unit is in the table; each value is in the texts, at the
/// beginning of a character; rules replace whole characters; there are no cycles.
///
/// Throws ModelError beginning with `where` ("model.spm: normalisation rules").
void check_charsmap(std::string_view map, const std::string& where);

}  // namespace ventris::text
