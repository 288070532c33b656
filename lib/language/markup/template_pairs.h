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

/// Of {% name %} and {% endname %}, {{#name}} and {{/name}}, {{< name >}} and {{< /name >}}, {name} and {/name}. Many
/// that look like a start have no end.
TemplateTag read_template_tag(std::string_view raw);

/// Makes pairs of marks of such tags in the same block, so that they stay in order around words, if what is between
/// has letters and no half of another pair of marks. Takes a time that grows with the parts.
void pair_templates(std::string_view document, std::vector<Part>& parts);

}  // namespace ventris::markup
