#include "core/printable.h"

#include <fmt/format.h>

#include "core/utf8.h"

namespace ventris::core {
namespace {

bool turns_writing(char32_t code) { return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069); }

bool is_shown(char32_t code) {
  const bool is_control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  return !is_control && code != 0x2028 && code != 0x2029 && !turns_writing(code);
}

std::string escape(char32_t code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  const auto number = static_cast<uint32_t>(code);
  return code < 0x80 ? fmt::format("\\x{:02x}", number) : fmt::format("\\u{:04x}", number);
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  shown.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Utf8Unit unit = utf8_unit_at(text, at);
    const std::string_view bytes = text.substr(at, unit.length);
    at += unit.length;
    if (!unit.valid) {
      for (const char byte : bytes) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    } else if (const char32_t code = code_point(bytes); is_shown(code)) {
      shown += bytes;
    } else {
      shown += escape(code);
    }
  }
  return shown;
}

std::string printable_lines(std::string_view text) {
  std::string shown;
  for (size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
    end = text.find('\n', begin);
    shown += (begin > 0 ? "\n" : "") + printable(text.substr(begin, end - begin));
  }
  return shown;
}

}  // namespace ventris::core
