#include "markup/code_in_html_text.h"

#include <algorithm>
#include <array>

#include "markup/characters.h"

namespace ventris::markup {
namespace {

using text::ByteRange;

constexpr size_t kNoCodeEnd = std::string_view::npos, kLongestInText = 2000;
constexpr std::string_view kBlanksOfText = " \t\r\n";

/// Behind the sign that ends something of code, outside of strings and parentheses; npos if it does not come soon.
size_t end_behind(std::string_view text, char sign) {
  int64_t depth = 0;
  char quote = 0;
  for (size_t at = 0; at < std::min(text.size(), kLongestInText); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == '\\') ++at;
      if (c == quote) quote = 0;
    } else if (depth == 0 && c == sign) {
      return at + 1;
    } else if (c == '"' || c == '\'' || c == '`') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    }
  }
  return kNoCodeEnd;
}

/// The name of a block of Angular at the beginning, behind "@"; empty if there is none.
std::string_view block_at(std::string_view text) {
  constexpr std::array<std::string_view, 12> kBlocks{"else if", "if",      "else",  "for",         "empty",   "switch",
                                                     "case",    "default", "defer", "placeholder", "loading", "error"};
  const auto* const found = std::ranges::find_if(kBlocks, [&](std::string_view name) {
    return text.starts_with(name) && (text.size() == name.size() || !is_name_byte(text[name.size()]));
  });
  return found == kBlocks.end() ? std::string_view() : *found;
}

/// The size of "let a = b;" at the beginning, behind "@"; npos if there is none.
size_t size_of_let(std::string_view text) {
  constexpr std::string_view kLet = "let ";
  if (!text.starts_with(kLet)) return kNoCodeEnd;
  size_t at = kLet.size() + run_of(text, kLet.size(), kBlanksOfText);
  const size_t name = at;
  while (at < text.size() && (is_name_byte(text[at]) || text[at] == '$')) ++at;
  const size_t sign = at + run_of(text, at, kBlanksOfText);
  if (at == name || sign >= text.size() || text[sign] != '=') return kNoCodeEnd;
  const size_t size = end_behind(text.substr(sign), ';');
  return size == kNoCodeEnd ? kNoCodeEnd : sign + size;
}

}  // namespace

/// Behind the brace of a block that begins here, or behind "@let a = b;".
size_t CodeInHtmlText::end_of_statement(size_t at, size_t end) {
  if (at > 0 && is_alnum_byte(document_[at - 1])) return kNoCodeEnd;
  const std::string_view text = document_.substr(at + 1, end - at - 1);
  const size_t let = size_of_let(text);
  if (let != kNoCodeEnd) return at + 1 + let;
  const std::string_view block = block_at(text);
  if (block.empty()) return kNoCodeEnd;
  size_t size = block.size() + run_of(text, block.size(), kBlanksOfText);
  if (size < text.size() && text[size] == '(') {
    const size_t inside = end_behind(text.substr(size + 1), ')');
    if (inside == kNoCodeEnd) return kNoCodeEnd;
    size += 1 + inside;
    size += run_of(text, size, kBlanksOfText);
  }
  if (size >= text.size() || text[size] != '{') return kNoCodeEnd;
  open_.push_back(true);
  return at + 1 + size + 1;
}

size_t CodeInHtmlText::end_of_question(size_t at, size_t end) const {
  size_t sign = at + 1;
  while (sign < end && document_[sign] >= '0' && document_[sign] <= '9') ++sign;
  if (sign >= end || document_[sign] != ':') return kNoCodeEnd;
  size_t name = sign + 1;
  while (name < end && ((document_[name] >= 'A' && document_[name] <= 'Z') || document_[name] == '_')) ++name;
  if (name < sign + 3 || name >= end || document_[name] != ':') return kNoCodeEnd;
  for (size_t close = name; close < std::min(end, at + kLongestInText); ++close) {
    if (document_[close] == '\\')
      ++close;
    else if (document_[close] == '}')
      return close + 1;
  }
  return kNoCodeEnd;
}

std::vector<TextCode> CodeInHtmlText::find(ByteRange range) {
  std::vector<TextCode> found;
  const std::string_view shown = document_.substr(0, range.end);
  for (size_t at = shown.find_first_of("@{}", range.begin); at != kNoCodeEnd; at = shown.find_first_of("@{}", at)) {
    size_t end = kNoCodeEnd;
    const bool question = shown[at] == '{';
    if (shown[at] == '@') end = end_of_statement(at, range.end);
    if (question) end = end_of_question(at, range.end);
    if (question && end == kNoCodeEnd && !open_.empty()) open_.push_back(false);
    if (shown[at] == '}' && !open_.empty()) {
      if (open_.back()) end = at + 1;
      open_.pop_back();
    }
    if (end != kNoCodeEnd) found.push_back({{at, end}, !question});
    at = end != kNoCodeEnd ? end : at + 1;
  }
  return found;
}

}  // namespace ventris::markup
