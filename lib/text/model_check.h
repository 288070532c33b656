#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/model_proto.h"

namespace ventris::text {

/// Bytes of a piece, and of a text that must become one (a tag). Those that are learnt have tens of bytes.
/// SentencePiece calls itself once for each byte of a piece as it builds its table, so that one of 160,000 overruns the
/// stack.
inline constexpr size_t kLongestPiece = 512;

/// User-defined pieces each of which begins with the one before; the library has room for no more.
inline constexpr size_t kMostNestedPieces = 64;

inline constexpr size_t kLargestModel = size_t{1} << 26;  ///< bytes

/// Checks a serialised SentencePiece model, of whichever kind, before its library sees it: the library trusts what it
/// reads, and a crafted model can make it read outside its own memory. Fields and their types; pieces (length,
/// UTF-8, finite scores, types, none twice, all 256 bytes or none); the rules of normalisation (charsmap.h). A model of
/// 32,000 pieces takes a few milliseconds. Returns what it says, with views into the bytes.
///
/// Throws ModelError beginning with `where` ("run/best/source.spm").
ModelProto check_model(std::string_view bytes, const std::string& where);

/// The largest number of these texts each of which begins with the one before.
size_t deepest_nesting(std::vector<std::string_view> texts);

}  // namespace ventris::text
