#include "markup/link_targets.h"

#include <algorithm>

#include "markup/characters.h"

namespace ventris::markup {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kSpace = " \t\r\n";

/// Behind the sign that ends what begins behind `at`; npos if one of `stops` comes before it.
size_t end_of_enclosed(std::string_view text, size_t at, char end, std::string_view stops) {
  for (size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == end) {
      return i + 1;
    } else if (stops.find(text[i]) != kNone) {
      return kNone;
    }
  }
  return kNone;
}

/// Behind a target without angle brackets: before a space or the parenthesis that closes one around it.
size_t end_of_plain_target(std::string_view text, size_t at) {
  constexpr int kMostParentheses = 32;  // as the parser
  int open = 0;
  for (; at < text.size() && kSpace.find(text[at]) == kNone; ++at) {
    if (text[at] == '\\' && at + 1 < text.size() && text[at + 1] != '\n') {
      ++at;
    } else if (text[at] == '(' && ++open > kMostParentheses) {
      return kNone;
    } else if (text[at] == ')' && open-- == 0) {
      break;
    }
  }
  return std::min(at, text.size());
}

size_t end_of_title(std::string_view text, size_t at) {
  switch (text[at]) {
    case '"': return end_of_enclosed(text, at, '"', "");
    case '\'': return end_of_enclosed(text, at, '\'', "");
    case '(': return end_of_enclosed(text, at, ')', "(");
    default: return kNone;
  }
}

struct LinkTarget {
  size_t end = kNone;
  text::ByteRange title = {};
};

LinkTarget link_target(std::string_view paragraph, size_t at) {
  const auto skip_space = [&](size_t from) { return from + run_of(paragraph, from, kSpace); };
  const auto closes = [&](size_t place) { return paragraph.substr(place).starts_with(')'); };
  size_t next = skip_space(at + 1);
  next = paragraph.substr(next).starts_with('<') ? end_of_enclosed(paragraph, next, '>', "<\n")
                                                 : end_of_plain_target(paragraph, next);
  if (next == kNone) return {};
  const size_t title = skip_space(next);
  if (closes(title)) return {title + 1};
  if (title == next || title == paragraph.size()) return {};
  const size_t end = end_of_title(paragraph, title);
  if (end == kNone) return {};
  const size_t last = skip_space(end);
  return closes(last) ? LinkTarget{last + 1, {title + 1, end - 1}} : LinkTarget{};
}

}  // namespace

size_t end_of_link_target(std::string_view paragraph, size_t at) { return link_target(paragraph, at).end; }

text::ByteRange title_of_link(std::string_view paragraph, size_t at) { return link_target(paragraph, at).title; }

std::vector<text::ByteRange> emphasis_in_targets(std::string_view paragraph) {
  std::vector<text::ByteRange> signs;
  for (size_t at = paragraph.find("]("); at != kNone; at = paragraph.find("](", at + 1)) {
    const size_t end = end_of_link_target(paragraph, at + 1);
    if (end == kNone) continue;
    const std::string_view until_end = paragraph.substr(0, end);
    for (size_t sign = until_end.find_first_of("*_~", at); sign != kNone;
         sign = until_end.find_first_of("*_~", sign + 1)) {
      const size_t before = paragraph.find_last_not_of(" \t", sign - 1);
      if (paragraph[before] != '\n') signs.push_back({sign, sign + 1});  // at the start of a line, it may begin an item
    }
    at = end - 1;
  }
  return signs;
}

}  // namespace ventris::markup
