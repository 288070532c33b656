#pragma once
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// A tag of a template in a document of HTML, or code of a program.
struct HtmlTemplate {
  ByteRange range;
  bool comment = false;  ///< readers never see it
};

/// Finds tags of templates: {{ name }}, {% tag %}, {# comment #} (Django, Jinja, Twig,
/// Liquid, Handlebars), <%= name %> (ERB, EJS, JSP), <?php ... ?> and <?= ... ?>. What is between {% comment %}, {% raw
/// %} or {% verbatim %} and the end tag belongs to it. Braces around a tag of HTML that is not in a quotation are none,
/// except for comments. PHP without an end goes on to the end of a document that has no tag behind it. The places that
/// are asked for must rise; then all takes a time that grows with the document.
class HtmlTemplates {
 public:
  /// The document must outlive this.
  explicit HtmlTemplates(std::string_view document) : document_(document) {}

  /// The first one that begins at this byte or behind it.
  std::optional<HtmlTemplate> next(size_t at);

 private:
  struct Sign {
    std::string_view begin, end;
    std::optional<size_t> place = {};  // of the next `begin`; npos: there is none
    size_t behind = 0;  // the byte behind the `end` that was found last; npos: there is none
  };
  size_t end_of(Sign& sign);
  bool has_tag(ByteRange range) const;
  size_t end_with_content(ByteRange tag);

  std::string_view document_;
  std::optional<HtmlTemplate> found_;
  std::set<std::string> endless_;  // tags around content that have no end tag from here on
  std::array<Sign, 6> signs_{{{"{{", "}}"}, {"{%", "%}"}, {"{#", "#}"}, {"<%", "%>"}, {"<?php", "?>"}, {"<?=", "?>"}}};
};

/// All templates of a document, and shortcodes around code (code_shortcodes), in order, from this
/// byte on.
std::vector<HtmlTemplate> find_templates(std::string_view document, size_t from = 0);

/// The document with letters in the place of templates, for the reader of tags: in "<a b='<?= $c > 1 ?>'>", the tag
/// ends behind the code.
std::string with_hidden_templates(std::string_view document, const std::vector<HtmlTemplate>& templates);

}  // namespace ventris::markup
