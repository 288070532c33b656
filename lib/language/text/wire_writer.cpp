#include "text/wire_writer.h"

#include <bit>

#include "text/wire_format.h"

namespace ventris::text {
namespace {

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

std::string key(uint32_t number, WireType type) { return varint(uint64_t{number} << 3 | static_cast<uint64_t>(type)); }

}  // namespace

std::string varint_field(uint32_t number, uint64_t value) { return key(number, WireType::kVarint) + varint(value); }

std::string bytes_field(uint32_t number, std::string_view bytes) {
  return key(number, WireType::kBytes) + varint(bytes.size()) + std::string(bytes);
}

std::string float_field(uint32_t number, float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  std::string bytes = key(number, WireType::kFixed32);
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(bits >> shift);
  return bytes;
}

}  // namespace ventris::text
