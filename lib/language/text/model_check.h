#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "text/model_proto.h"

namespace ventris::text {

/// Bytes of a piece, or of a text that must become one (a tag). Learnt pieces have tens of bytes. When SentencePiece
/// builds its table, it recurses once for each byte of a piece, so that a piece of 160,000 bytes would overflow the
/// stack.
inline constexpr size_t kLongestPiece = 512;

/// User-defined pieces each of which begins with the previous one; the library has no room for more.
inline constexpr size_t kMostNestedPieces = 64;

inline constexpr size_t kLargestModel = size_t{1} << 26;  ///< bytes

/// Checks a serialised SentencePiece model of any kind before the library reads it. The library does not check its
/// input, and a crafted model can make it read outside its memory. Checks fields and their types; pieces (length,
/// UTF-8, finite scores, types, no duplicates, all 256 bytes or none); and the normalisation rules (charsmap.h). A
/// model of 32,000 pieces takes a few milliseconds. Returns the parsed model, with views into the bytes.
///
/// Throws ModelError beginning with `where` ("run/best/source.spm").
ModelProto check_model(std::string_view bytes, const std::string& where);

/// Throws ModelError beginning with `where` unless both models have the same number of pieces, and the same text for
/// each id. Types and scores may differ.
void check_common_ids(const ModelProto& source, const ModelProto& target, const std::string& where);

/// The length of the longest chain of these texts in which each begins with the previous one.
size_t deepest_nesting(std::vector<std::string_view> texts);

}  // namespace ventris::text
