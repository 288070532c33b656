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

/// The fields of pandoc's title block, each with the indented lines below it. A title alone has an empty line behind
/// it.
std::vector<text::ByteRange> fields_of_title(std::string_view document) {
  constexpr size_t kMostFields = 3;
  std::vector<text::ByteRange> fields;
  for (size_t at = 0; at < document.size();) {
    std::string_view rest = document.substr(at);
    const std::string_view line = take_line(rest);
    const size_t next = document.size() - rest.size();
    if (line.empty()) break;
    const bool is_field = line == "%" || line.starts_with("% ");
    const bool goes_on = !fields.empty() && (line.front() == ' ' || line.front() == '\t');
    if (is_field && fields.size() == kMostFields) return {};
    if (!is_field && !goes_on) return fields.size() > 1 ? fields : std::vector<text::ByteRange>();
    if (is_field) fields.push_back({at, next});
    fields.back().end = next;
    at = next;
  }
  return fields;
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

std::vector<text::ByteRange> settings_of(std::string_view document) {
  if (const size_t size = size_of_front_matter(document); size > 0) return {{0, size}};
  std::vector<text::ByteRange> settings = fields_of_title(document);
  if (!settings.empty()) settings.front().end = settings.front().begin + 1;
  return settings;
}

}  // namespace ventris::markup
