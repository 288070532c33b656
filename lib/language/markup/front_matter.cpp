#include "markup/front_matter.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/ascii.h"
#include "markup/characters.h"
#include "markup/each_line.h"
#include "markup/fences.h"

namespace ventris::markup {
namespace {

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

/// The name of "name: value", in small letters; empty if the line is something else.
std::string key_of(std::string_view line) {
  const size_t end = line.find(':');
  if (end == std::string_view::npos || end == 0 || !is_letter(line.front())) return "";
  if (end + 1 < line.size() && line[end + 1] != ' ') return "";
  const std::string_view name = line.substr(0, end);
  const bool plain = std::ranges::all_of(name, [](char c) { return is_name_byte(c) || c == ' '; });
  return plain ? core::in_lower_case(name) : "";
}

/// The lines "Title: words", "Date: 2020-01-01" that a document of Pelican or MultiMarkdown begins with, up to an empty
/// line; 0 if it has none.
size_t size_of_fields(std::string_view document) {
  constexpr std::array<std::string_view, 12> kKnown{
      "date",     "slug",    "category",          "tags", "author", "authors", "status", "modified",
      "template", "save_as", "base header level", "css"};
  std::string_view rest = document;
  if (key_of(take_line(rest)) != "title") return 0;
  bool known = false;
  while (!rest.empty()) {
    const std::string_view before = rest, line = take_line(rest);
    if (line.empty()) return known ? document.size() - before.size() : 0;
    const std::string key = key_of(line);
    if (key.empty() && line.front() != ' ') return 0;
    known = known || std::ranges::find(kKnown, key) != kKnown.end();
  }
  return 0;
}

/// Whether the line is a setting of a slide: "layout: two-cols" of Slidev, "class: center, middle" of remark. Its value
/// is one word, or several with commas between.
bool is_setting_of_slide(std::string_view line) {
  constexpr std::array<std::string_view, 20> kKeys{
      "layout",     "class", "background", "image",    "transition", "clicks",           "level",           "hide",
      "routealias", "zoom",  "preload",    "name",     "template",   "background-image", "background-size", "count",
      "exclude",    "src",   "disabled",   "hideintoc"};
  if (line.empty() || line.front() < 'a' || line.front() > 'z') return false;
  if (std::ranges::find(kKeys, key_of(line)) == kKeys.end()) return false;
  const size_t value = line.find_first_not_of(' ', line.find(':') + 1);
  for (size_t at = std::min(value, line.size()); at < line.size(); ++at) {
    if (line[at] == ' ' && line[at - 1] != ',') return false;
  }
  return true;
}

/// The settings of slides: the lines of settings behind a line "---", with one that ends them, if there is one; also
/// those at the beginning of the document.
std::vector<text::ByteRange> settings_of_slides(std::string_view document, size_t from) {
  std::vector<text::ByteRange> settings;
  std::string_view rest = document.substr(from);
  bool separated = from == 0, blank = true;  // the last line was a separator, was empty
  Fences fences;
  while (!rest.empty()) {
    const size_t begin = document.size() - rest.size();
    const std::string_view line = take_line(rest);
    const bool code = fences.take(line);
    const bool separator = (line == "---" || line == "--") && blank;
    blank = line.empty();
    if (separated && !code && is_setting_of_slide(line)) {
      std::string_view next = rest;
      std::string_view last = take_line(next);
      while (is_setting_of_slide(last)) {
        rest = next;
        last = take_line(next);
      }
      if (!last.empty() && last != "---") continue;  // a text
      if (last == "---") rest = next;
      settings.push_back({begin, document.size() - rest.size()});
    }
    separated = separator;
  }
  return settings;
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
  const size_t front = size_of_front_matter(document), size = front > 0 ? front : size_of_fields(document);
  std::vector<text::ByteRange> settings;
  if (size > 0) {
    settings.push_back({0, size});
  } else if (settings = fields_of_title(document); !settings.empty()) {
    settings.front().end = settings.front().begin + 1;
  }
  for (const text::ByteRange& slide : settings_of_slides(document, settings.empty() ? 0 : settings.back().end)) {
    settings.push_back(slide);
  }
  return settings;
}

}  // namespace ventris::markup
