#include "text/valid_utf8.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "text/invisible.h"

namespace ventris::text {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// A number of bytes from `start` that are known to be ASCII, checked eight at a time.
size_t ascii_run(std::string_view bytes, size_t start) {
  size_t end = start;
  for (uint64_t word = 0; end + sizeof word <= bytes.size(); end += sizeof word) {
    std::memcpy(&word, bytes.data() + end, sizeof word);
    if ((word & 0x8080808080808080ULL) != 0) break;
  }
  return end - start;
}

/// The offset of the first ill-formed part; the size if there is none.
size_t find_invalid(std::string_view bytes) {
  size_t at = 0;
  while (at < bytes.size()) {
    at += ascii_run(bytes, at);
    if (at == bytes.size()) break;
    const core::Utf8Unit unit = core::utf8_unit_at(bytes, at);
    if (!unit.valid) return at;
    at += unit.length;
  }
  return bytes.size();
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
    bytes.remove_prefix(core::utf8_unit_at(bytes, 0).length);
  }
  return text;
}

bool is_blank(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const core::Utf8Unit unit = core::utf8_unit_at(text, at);
    if (!unit.valid) return false;
    const char32_t code = core::code_point(text.substr(at, unit.length));
    if (!is_space_or_control(code) && !is_invisible(code)) return false;
    at += unit.length;
  }
  return true;
}

std::string_view first_character(std::string_view text) {
  return text.empty() ? text : text.substr(0, core::utf8_unit_at(text, 0).length);
}

std::vector<std::string_view> blocks_of(std::string_view text, size_t most) {
  std::vector<std::string_view> blocks;
  while (text.size() > most) {
    const size_t space = text.rfind(' ', most);
    const bool at_space = space != std::string_view::npos && space > 0;
    const size_t end = at_space ? space : cut_utf8(text, most).size();
    blocks.push_back(text.substr(0, end));
    text.remove_prefix(at_space ? end + 1 : end);
  }
  blocks.push_back(text);
  return blocks;
}

void remove_line_ends(std::string& text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
}

std::string with_line_feeds(std::string_view text) {
  std::string changed;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 2) != "\r\n") changed += text[i];
  }
  return changed;
}

}  // namespace ventris::text
