#include "text/wire_format.h"

namespace ventris::text {
namespace {

constexpr uint64_t kHighestNumber = 0x1FFFFFFF;

std::optional<uint64_t> take_varint(std::string_view& bytes) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    if (bytes.empty()) return std::nullopt;
    const auto byte = static_cast<uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

std::optional<WireField> take_bytes(std::string_view& bytes, WireField field, uint64_t length) {
  if (length > bytes.size()) return std::nullopt;
  field.bytes = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return field;
}

}  // namespace

std::optional<WireField> take_field(std::string_view& bytes) {
  const auto key = take_varint(bytes);
  if (!key || *key >> 3 == 0 || *key >> 3 > kHighestNumber) return std::nullopt;
  WireField field{static_cast<uint32_t>(*key >> 3), static_cast<WireType>(*key & 7)};
  switch (field.type) {
    case WireType::kVarint: {
      const auto value = take_varint(bytes);
      if (!value) return std::nullopt;
      field.value = *value;
      return field;
    }
    case WireType::kFixed64: return take_bytes(bytes, field, 8);
    case WireType::kBytes: {
      const auto length = take_varint(bytes);
      return length ? take_bytes(bytes, field, *length) : std::nullopt;
    }
    case WireType::kFixed32: return take_bytes(bytes, field, 4);
  }
  return std::nullopt;
}

}  // namespace ventris::text
