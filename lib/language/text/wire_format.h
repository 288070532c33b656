#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace ventris::text {

/// The wire type of a protobuf field, with the numbers of the format. Groups are not supported.
enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;          ///< for a varint
  std::string_view bytes = {};  ///< for any other type
};

/// Reads the next field of a protobuf message and removes it from `bytes`; empty if the bytes are not a field.
std::optional<WireField> take_field(std::string_view& bytes);

/// Calls use(field) for each field until it returns false. False if it did, or if the bytes are not a message.
template <typename Use>
bool each_field(std::string_view bytes, const Use& use) {
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field || !use(*field)) return false;
  }
  return true;
}

}  // namespace ventris::text
