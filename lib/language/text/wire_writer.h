#pragma once
#include <cstdint>
#include <string>
#include <string_view>

/// Writes fields of protobuf messages (wire_format.h reads them).
namespace ventris::text {

std::string varint_field(uint32_t number, uint64_t value);
std::string bytes_field(uint32_t number, std::string_view bytes);
std::string float_field(uint32_t number, float value);

}  // namespace ventris::text
