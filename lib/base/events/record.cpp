#include "events/record.h"

#include <array>
#include <bit>
namespace ventris::events {
namespace {

std::array<uint32_t, 256> crc_table() {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0x82F63B78U : 0U);
    table[byte] = value;
  }
  return table;
}

/// A crc of bytes that contain crcs is weak, so the format rotates it and adds a constant.
uint32_t masked(uint32_t crc) { return std::rotr(crc, 15) + 0xA282EAD8U; }

/// Writes little-endian numbers on every machine.
template <typename T>
std::string bytes_of(T value) {
  std::string bytes;
  for (size_t i = 0; i < sizeof(T); ++i) bytes += static_cast<char>(static_cast<unsigned char>(value >> (8 * i)));
  return bytes;
}

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7U) bytes += static_cast<char>((value & 0x7FU) | 0x80U);
  return bytes + static_cast<char>(value);
}

/// Protocol buffers' wire types.
enum Wire : uint32_t { kVarint = 0, kDouble = 1, kBytes = 2, kFloat = 5 };

std::string key(uint32_t field, Wire wire) { return varint((field << 3U) | wire); }
std::string int_field(uint32_t field, int64_t value) {
  return key(field, kVarint) + varint(static_cast<uint64_t>(value));
}
std::string double_field(uint32_t field, double value) {
  return key(field, kDouble) + bytes_of(std::bit_cast<uint64_t>(value));
}
std::string float_field(uint32_t field, float value) {
  return key(field, kFloat) + bytes_of(std::bit_cast<uint32_t>(value));
}
std::string bytes_field(uint32_t field, std::string_view bytes) {
  return key(field, kBytes) + varint(bytes.size()) + std::string(bytes);
}

/// Fields of tensorflow.Event, Summary, Summary.Value and SessionLog.
constexpr uint32_t kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5, kSessionLog = 7;
constexpr uint32_t kValue = 1, kTag = 1, kSimpleValue = 2, kStatus = 1;
constexpr int64_t kSessionStart = 1;

}  // namespace

uint32_t crc32c(std::string_view bytes) {
  static const std::array<uint32_t, 256> kTable = crc_table();
  uint32_t crc = ~0U;
  for (const char byte : bytes) crc = kTable[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU] ^ (crc >> 8U);
  return ~crc;
}

std::string framed(std::string_view bytes) {
  const std::string length = bytes_of(static_cast<uint64_t>(bytes.size()));
  return length + bytes_of(masked(crc32c(length))) + std::string(bytes) + bytes_of(masked(crc32c(bytes)));
}

std::string version_event(double time) {
  return double_field(kWallTime, time) + bytes_field(kFileVersion, "brain.Event:2");
}

std::string start_event(double time, int64_t step) {
  return double_field(kWallTime, time) + int_field(kStep, step) +
         bytes_field(kSessionLog, int_field(kStatus, kSessionStart));
}

std::string scalar_event(double time, int64_t step, const std::vector<Scalar>& scalars) {
  std::string summary;
  for (const auto& [tag, value] : scalars) {
    summary += bytes_field(kValue, bytes_field(kTag, tag) + float_field(kSimpleValue, static_cast<float>(value)));
  }
  return double_field(kWallTime, time) + int_field(kStep, step) + bytes_field(kSummary, summary);
}

}  // namespace ventris::events
