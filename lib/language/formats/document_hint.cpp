#include "formats/document_hint.h"

#include <algorithm>
#include <cctype>

#include "core/ascii.h"

namespace ventris::formats {
namespace {

std::string_view without_blanks(std::string_view line) {
  constexpr std::string_view kAround = " \t\r";
  const size_t begin = std::min(line.find_first_not_of(kAround), line.size());
  return line.substr(begin, line.find_last_not_of(kAround) + 1 - begin);
}

bool is_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

std::string flag_for(std::string_view first, std::string_view second) {
  constexpr size_t kShown = 100;  // bytes that are looked at
  const std::string_view one = without_blanks(first), two = without_blanks(second);
  const std::string begin = core::in_lower_case(one.substr(0, kShown));
  if (one.starts_with("WEBVTT")) return "--markup vtt";
  if (is_number(one) && two.find("-->") != std::string_view::npos) return "--markup srt";
  if (begin.starts_with("<!doctype html") || begin.starts_with("<html")) return "--markup html";
  if (begin.starts_with("<?xml")) return "--markup xml";
  if (one.starts_with("msgid \"") || two.starts_with("msgid \"")) return "--markup po";
  if (one.starts_with("{\"") && one.ends_with('}')) return "--input-format jsonl";
  const bool opens = one == "{" || one == "[";
  return opens && (two.starts_with('"') || two.starts_with('{') || two.starts_with('[')) ? "--markup json" : "";
}

}  // namespace ventris::formats
