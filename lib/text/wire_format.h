#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace ventris::text {

/// How a field of a protobuf message is written; the numbers are those of the format. Groups are not read.
enum class WireType : uint8_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

struct WireField {
  uint32_t number = 0;
  WireType type = WireType::kVarint;
  uint64_t value = 0;          ///< of a varint
  std::string_view bytes = {};  ///< of any other type
};

/// The next field of a protobuf message, which is taken off `bytes`; nothing if the bytes are not one.
std::optional<WireField> take_field(std::string_view& bytes);

/// Calls use(field) for each field until it returns false. False if it did, or if the bytes are no message.
template <typename Use>
bool each_field(std::string_view bytes, const Use& use) {
  while (!bytes.empty()) {
    const auto field = take_field(bytes);
    if (!field || !use(*field)) return false;
  }
  return true;
}

}  // namespace ventris::text
