#include "text/word_links.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace ventris::text {
namespace {

constexpr std::string_view kSpaces = " \t\r";

/// Reads a number from 0 to kMostWordNumber at the beginning of `text` and removes it.
std::optional<int32_t> take_number(std::string_view& text) {
  int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > kMostWordNumber) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return number;
}

}  // namespace

std::string format_links(const Links& links) {
  std::string text;
  for (const Link& link : links) {
    fmt::format_to(std::back_inserter(text), "{}{}-{}", text.empty() ? "" : " ", link.source, link.target);
  }
  return text;
}

std::optional<Links> parse_links(std::string_view line) {
  Links links;
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(kSpaces), line.size()));
    if (line.empty()) break;
    const auto source = take_number(line);
    if (!source || !line.starts_with('-')) return std::nullopt;
    line.remove_prefix(1);
    const auto target = take_number(line);
    if (!target || (!line.empty() && kSpaces.find(line.front()) == std::string_view::npos)) return std::nullopt;
    links.push_back({*source, *target});
  }
  std::ranges::sort(links);
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace ventris::text
