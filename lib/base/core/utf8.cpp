#include "core/utf8.h"

#include <algorithm>
#include <cstdint>

namespace ventris::core {
namespace {

uint8_t byte_at(std::string_view bytes, size_t index) { return static_cast<uint8_t>(bytes[index]); }

bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/// What the first byte says about the following bytes; length 0 = it cannot begin a character.
struct Lead {
  size_t length;
  uint8_t second_min, second_max;
};

Lead lead_of(uint8_t byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2 || byte > 0xF4) return {0, 0, 0};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {4, 0x80, 0xBF};
}

}  // namespace

Utf8Unit utf8_unit_at(std::string_view bytes, size_t start) {
  const Lead lead = lead_of(byte_at(bytes, start));
  if (lead.length <= 1) return {1, lead.length == 1};
  size_t length = 1;
  for (; length < lead.length; ++length) {
    if (start + length >= bytes.size()) return {length, false};
    const uint8_t byte = byte_at(bytes, start + length);
    const bool fits = length == 1 ? byte >= lead.second_min && byte <= lead.second_max : is_continuation(byte);
    if (!fits) return {length, false};
  }
  return {length, true};
}

char32_t code_point(std::string_view character) {
  const uint8_t first = byte_at(character, 0);
  if (character.size() == 1) return first;
  char32_t code = first & (0x7F >> character.size());
  for (size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte_at(character, i) & 0x3F);
  return code;
}

std::string utf8_of(char32_t code) {
  const auto last = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), last(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | code >> 12), last(6), last(0)};
  return {static_cast<char>(0xF0 | code >> 18), last(12), last(6), last(0)};
}

std::string_view cut_utf8(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  constexpr size_t kMostContinuations = 3;
  const size_t lowest = max_bytes - std::min(max_bytes, kMostContinuations);
  size_t end = max_bytes;
  while (end > lowest && is_continuation(byte_at(text, end))) --end;
  // Only ill-formed bytes have no boundary this near; then any place will do.
  return text.substr(0, is_continuation(byte_at(text, end)) ? max_bytes : end);
}

}  // namespace ventris::core
