#include "markup/front_matter.h"

#include <algorithm>

namespace ventris::markup {
namespace {

constexpr std::string_view kAtEnd = " \t\r";

/// Takes the next line, without blanks at its end.
std::string_view take_line(std::string_view& rest) {
  const size_t end = std::min(rest.find('\n'), rest.size());
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return line.substr(0, line.find_last_not_of(kAtEnd) + 1);
}

/// Whether the line may be one of YAML: a key with a value, an item of a list, a part of what is above, a comment, or a
/// tag of a template.
bool may_be_yaml(std::string_view line) {
  const bool code =
      (line.starts_with("{{") && line.ends_with("}}")) || (line.starts_with("{%") && line.ends_with("%}"));
  if (code) return true;
  if (line.empty() || std::string_view(" \t-#]})").find(line.front()) != std::string_view::npos) return true;
  return line.ends_with(':') || line.find(": ") != std::string_view::npos || line.find(":\t") != std::string_view::npos;
}

}  // namespace

size_t size_of_front_matter(std::string_view document) {
  std::string_view rest = document;
  const std::string_view first = take_line(rest);
  const bool yaml = first == "---", toml = first == "+++", json = first == "{";
  if (!yaml && !toml && !json) return 0;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    const bool ends = (yaml && (line == "---" || line == "...")) || (toml && line == "+++") || (json && line == "}");
    if (ends) return document.size() - rest.size();
    if (yaml && !may_be_yaml(line)) return 0;
  }
  return 0;
}

}  // namespace ventris::markup
