#include "markup/html_blocks.h"

#include <algorithm>
#include <array>
#include <string>

#include "markup/characters.h"
#include "markup/digest.h"
#include "markup/html_parts.h"
#include "markup/html_token.h"

namespace ventris::markup {
namespace {

/// Whether a line of the text begins like a heading, a list or a fence of Markdown.
bool has_block_sign(std::string_view text) {
  for (size_t line = text.find('\n'); line != std::string_view::npos; line = text.find('\n', line + 1)) {
    const std::string_view rest = text.substr(std::min(text.find_first_not_of(" \t", line + 1), text.size()));
    for (const std::string_view sign : {"# ", "## ", "### ", "- ", "+ ", "> ", ": ", ":::", "===", "---"}) {
      if (rest.starts_with(sign)) return true;
    }
    const size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
    if (digits > 0 && (rest.substr(digits).starts_with(". ") || rest.substr(digits).starts_with(") "))) return true;
  }
  return false;
}

bool may_be_other_than_text(std::string_view text) {
  constexpr std::string_view kSigns = "{}*`|$\\";
  constexpr std::array<std::string_view, 7> kPairs{"](", "][", "]]", "![", "[^", "__", "~~"};
  return text.find_first_of(kSigns) != std::string_view::npos || has_block_sign(text) ||
         std::ranges::any_of(kPairs, [&](std::string_view sign) { return text.find(sign) != std::string_view::npos; });
}

}  // namespace

std::vector<Part> html_block_parts(std::string_view document, text::ByteRange range) {
  std::vector<Part> parts = html_parts_inside(document, range);
  const auto is_kept = [](const Part& part) { return part.kind == Part::Kind::kKept; };
  for (auto first = parts.begin(); first != parts.end();) {
    const auto last = std::find_if(first, parts.end(), is_kept);
    const bool kept = std::any_of(first, last, [](const Part& part) {
      return part.kind == Part::Kind::kText && may_be_other_than_text(part.text);
    });
    for (; first != last; ++first) first->kind = kept ? Part::Kind::kKept : first->kind;
    if (first != parts.end()) ++first;
  }
  return parts;
}

uint64_t digest_of_html(std::string_view html) {
  uint64_t sum = 0;
  const auto add = [&](text::ByteRange range) {
    sum += Digest().add(without_white_space(html.substr(range.begin, range.end - range.begin))).value();
  };
  for (size_t at = 0; at < html.size();) {
    const HtmlToken token = html_token(html, at);
    at = token.range.end;
    if (token.kind == HtmlToken::Kind::kText) continue;
    add(token.range);
    if (token.kind != HtmlToken::Kind::kStartTag || token.name == "title") continue;
    const size_t end = end_of_raw_text(html, at, token.name);
    if (end > at) add({at, end});
    at = end;
  }
  return sum;
}

}  // namespace ventris::markup
