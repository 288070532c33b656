#include "text/utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace ventris::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

uint8_t byte_at(std::string_view bytes, size_t index) { return static_cast<uint8_t>(bytes[index]); }

bool is_continuation(uint8_t byte) { return (byte & 0xC0) == 0x80; }

/// What the first byte says about the bytes after it (Unicode 15, table 3-7); length 0 = cannot begin a character.
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

/// A character, or a maximal piece that cannot become one.
struct Unit {
  size_t length;
  bool valid;
};

Unit unit_at(std::string_view bytes, size_t start) {
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

/// Number of bytes from `start` that are surely ASCII, found eight at a time.
size_t ascii_run(std::string_view bytes, size_t start) {
  size_t end = start;
  for (uint64_t word = 0; end + sizeof word <= bytes.size(); end += sizeof word) {
    std::memcpy(&word, bytes.data() + end, sizeof word);
    if ((word & 0x8080808080808080ULL) != 0) break;
  }
  return end - start;
}

/// Where the first ill-formed piece begins; the size if there is none.
size_t find_invalid(std::string_view bytes) {
  size_t at = 0;
  while (at < bytes.size()) {
    at += ascii_run(bytes, at);
    if (at == bytes.size()) break;
    const Unit unit = unit_at(bytes, at);
    if (!unit.valid) return at;
    at += unit.length;
  }
  return bytes.size();
}

char32_t code_point(std::string_view character) {
  const uint8_t first = byte_at(character, 0);
  if (character.size() == 1) return first;
  char32_t code = first & (0x7F >> character.size());
  for (size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte_at(character, i) & 0x3F);
  return code;
}

bool is_space_or_control(char32_t code) {
  if (code <= 0x20 || (code >= 0x7F && code <= 0xA0)) return true;
  return code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 || code == 0x2029 || code == 0x202F ||
         code == 0x205F || code == 0x3000;
}

}  // namespace

bool is_valid_utf8(std::string_view bytes) { return find_invalid(bytes) == bytes.size(); }

std::string replace_invalid_utf8(std::string_view bytes) {
  std::string text;
  text.reserve(bytes.size() + kReplacement.size());
  while (!bytes.empty()) {
    const size_t good = find_invalid(bytes);
    text.append(bytes.substr(0, good));
    bytes.remove_prefix(good);
    if (bytes.empty()) break;
    text.append(kReplacement);
    bytes.remove_prefix(unit_at(bytes, 0).length);
  }
  return text;
}

std::string_view cut_utf8(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  constexpr size_t kMostContinuations = 3;
  const size_t lowest = max_bytes - std::min(max_bytes, kMostContinuations);
  size_t end = max_bytes;
  while (end > lowest && is_continuation(byte_at(text, end))) --end;
  // Only ill-formed bytes have no border this near; then any place is as good.
  return text.substr(0, is_continuation(byte_at(text, end)) ? max_bytes : end);
}

bool is_blank(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Unit unit = unit_at(text, at);
    if (!unit.valid || !is_space_or_control(code_point(text.substr(at, unit.length)))) return false;
    at += unit.length;
  }
  return true;
}

std::string_view first_character(std::string_view text) {
  return text.empty() ? text : text.substr(0, unit_at(text, 0).length);
}

void remove_line_ends(std::string& text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

}  // namespace ventris::text
