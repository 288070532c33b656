#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace ventris::serving {

using Digest = std::array<uint8_t, 32>;

/// SHA-256 (FIPS 180-4).
Digest sha256(std::string_view bytes);

/// In a time that does not depend on how much of them is equal.
bool equal(const Digest& one, const Digest& other);

/// As 64 hexadecimal digits in lower case.
std::string to_hex(const Digest& digest);

}  // namespace ventris::serving
