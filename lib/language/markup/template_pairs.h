#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "markup/block_builder.h"

namespace ventris::markup {

/// What a tag of a template, or a placeholder that is written like one, may be of a pair.
struct TemplateTag {
  enum class Kind { kNone, kStart, kEnd };
  Kind kind = Kind::kNone;
  std::string name = {};
};

/// Of {% name %} and {% endname %}, {{#name}}, {{^name}} or {{$name}} and {{/name}}, {{< name >}} and {{< /name >}},
/// {{ if a }} and {{ end }} (is_go_section), {name} and {/name}. Many that look like a start have no end.
TemplateTag read_template_tag(std::string_view raw);

/// Whether it begins or ends a section in templates of Go: {{ if .a }}, {{- range .b }}, {{ end }}.
bool is_go_section(std::string_view raw);

/// Whether it is only the end of one, "{{ end }}". Elsewhere, it may be a value: "{{start}} to {{end}}".
bool is_go_end(std::string_view raw);

/// The sizes of tags, "{% a %}" or "{{ a }}", of which there is nothing else in the text; nothing for other texts.
std::vector<size_t> sizes_of_tags(std::string_view raw);

/// Makes pairs of marks of such tags in the same block, so that they stay in order around words, if what is between
/// has letters and no half of another pair of marks. They may be in an object of several tags, as Markdown has them.
/// Takes a time that grows with the parts.
void pair_templates(std::string_view document, std::vector<Part>& parts);

}  // namespace ventris::markup
