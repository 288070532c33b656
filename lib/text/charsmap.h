#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace ventris::text {

/// Bounds on the compiled rules of normalisation in a SentencePiece model ("precompiled_charsmap"). Those that
/// SentencePiece makes (nmt_nfkc and its relatives) have 240,000 to 320,000 bytes, and texts of at most 33.
inline constexpr size_t kLargestCharsmap = size_t{1} << 23;  ///< bytes
inline constexpr size_t kLongestRule = 512;  ///< bytes of the text that a rule looks for, and of the one it puts there
inline constexpr size_t kMostGrowth = 16;  ///< bytes that a rule puts in for each byte that it looks for; usual: 11
inline constexpr size_t kMostNestedRules = 32;  ///< that apply at one place; the library has room for no more

/// Refuses rules that the library, which trusts them, would follow out of their table. The format: the size of the
/// table in bytes (32 bits, little-endian); the table, a double array (Darts-clone: units of 32 bits, each with a
/// label, an offset and whether a value belongs to it); then texts, each with a NUL at its end. A value is the place of
/// a text. All that any text whatever can lead to is looked at: each place lies in the table, each value in the texts,
/// at the beginning of a character; rules look for whole characters; nothing leads back to itself.
///
/// Throws ModelError beginning with `where` ("model.spm: normalisation rules").
void check_charsmap(std::string_view map, const std::string& where);

}  // namespace ventris::text
