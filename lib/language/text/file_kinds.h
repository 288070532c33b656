#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Recognises files that are not UTF-8 text by their first bytes.
namespace ventris::text {

/// As many first bytes as a decision needs; fewer are enough for almost all kinds.
inline constexpr size_t kBytesOfKind = 4096;

/// Whether the bytes begin a gzip stream.
bool is_gzip(std::string_view start);

/// What a file is if its first bytes are not those of text, and what to do: "is a ZIP archive, ...; unpack it first".
/// Empty for text and for gzip.
std::optional<std::string> foreign_kind(std::string_view start);

/// The same for text in UTF-16 or UTF-32, with or without a byte-order mark: "is UTF-16 text, expected UTF-8; ...".
std::optional<std::string> foreign_encoding(std::string_view start);

/// Whether the bytes are only the beginning of the signature of some kind, so that more are needed to tell.
bool is_part_of_signature(std::string_view start);

}  // namespace ventris::text
