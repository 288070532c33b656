#include "markup/html.h"

#include <gumbo.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "core/ascii.h"
#include "markup/attribute_texts.h"
#include "markup/block_builder.h"
#include "markup/front_matter.h"
#include "markup/html_parts.h"
#include "markup/html_templates.h"
#include "markup/html_token.h"
#include "markup/shortcodes.h"

namespace ventris::markup {
namespace {

/// Writes the language into <html>: into those of lang and xml:lang that it has, or as lang.
void set_language(std::string_view document, const HtmlToken& tag, const std::string& language, Edits& edits) {
  const bool in_xml = attribute(document, tag, "xml:lang").has_value();
  if (in_xml) set_attribute(document, tag, "xml:lang", language, edits);
  if (!in_xml || attribute(document, tag, "lang")) set_attribute(document, tag, "lang", language, edits);
}

/// Takes the texts of the tags in these bytes, such as those of an image beside a number. `tags`: the document
/// with_hidden_templates().
void take_inside(std::string_view tags, ByteRange range, AttributeTexts& attributes, Edits& edits) {
  for (size_t at = range.begin; at < range.end;) {
    const HtmlToken token = html_token(tags, at);
    attributes.take(token, edits);
    at = token.range.end;
  }
}

/// Whether HTML is a part of a page, as editors of pages store it. `tags`: in small letters.
bool is_fragment(std::string_view tags) {
  constexpr std::array<std::string_view, 3> kOfPages{"<!doctype", "<html", "<body"};
  return std::ranges::none_of(kOfPages, [&](std::string_view tag) { return tags.find(tag) != std::string_view::npos; });
}

/// Whether a line begins with a shortcode, as in posts of WordPress.
bool has_shortcodes(std::string_view document) {
  constexpr std::string_view kLine = "\n[";
  for (size_t at = document.find(kLine); at != std::string_view::npos; at = document.find(kLine, at + 1)) {
    if (end_of_shortcode(document, at + 1) != 0) return true;
  }
  return false;
}

/// Whether blank lines divide the text of a part of a page: it has no elements that are paragraphs, or it is a post of
/// WordPress, where blank lines are paragraphs beside such elements.
bool has_blank_lines(std::string_view document) {
  const bool paragraphs =
      document.find("<p>") != std::string_view::npos || document.find("<p ") != std::string_view::npos;
  return !paragraphs || has_shortcodes(document);
}

/// In a part of a page that is a component of Vue, whose lines "<template>" and "</template>" are around its page,
/// makes them tags of another block, because the content of other templates is not translated. `small`: the same in
/// small letters.
void show_template_of_vue(std::string& tags, std::string_view small) {
  constexpr std::string_view kBegin = "<template", kLine = "\n<template", kEnd = "\n</template>", kBlock = "fieldset";
  const size_t first = small.find('<');
  if (first == std::string_view::npos) return;
  const std::string_view start = small.substr(first);
  if (!start.starts_with(kBegin) && !start.starts_with("<script")) return;
  const size_t line = start.starts_with(kBegin) ? first : small.find(kLine);
  const size_t end = small.rfind(kEnd);
  if (line == std::string_view::npos || end == std::string_view::npos || end < line) return;
  const size_t name = small.find('t', line), tag_end = small.find('>', name);
  const std::string_view attributes = small.substr(name + kBlock.size(), tag_end - name - kBlock.size());
  if (!attributes.empty() && attributes != " lang=\"html\"") return;
  const size_t next = small.find(kLine, name);
  if (next != std::string_view::npos && next < end) return;  // several beside each other
  tags.replace(name, kBlock.size(), kBlock);
  tags.replace(end + kEnd.find('t'), kBlock.size(), kBlock);
}

using Parsed = std::unique_ptr<GumboOutput, void (*)(GumboOutput*)>;

}  // namespace

MarkedDocument parse_html(const std::string& document, const DocumentChanges& changes) {
  const size_t settings = size_of_front_matter(document);
  std::vector<HtmlTemplate> templates = find_templates(document, settings);
  if (settings > 0) templates.insert(templates.begin(), HtmlTemplate{{0, settings}});
  std::string tags = with_hidden_templates(document, templates);
  const std::string small = core::in_lower_case(tags);
  const bool fragment = is_fragment(small);
  if (fragment) show_template_of_vue(tags, small);
  std::vector<Part> parts = html_parts(document, tags, templates);
  if (fragment && has_blank_lines(small)) parts = divided_at_lines(document, std::move(parts), LineEnds::kBlank);
  Edits edits;
  AttributeTexts attributes(document, Markup::kHtml, tags);
  for (const Part& part : parts) {
    if (!changes.any() || !part.start_tag) continue;
    const HtmlToken tag = html_token(tags, part.range.begin);
    if (tag.name == "html" && !changes.language.empty()) set_language(document, tag, changes.language, edits);
    if (!changes.attributes) continue;
    attributes.take(tag, edits);
    if (role_of_element(tag.name) == HtmlRole::kInline)
      take_inside(tags, {tag.range.end, part.range.end}, attributes, edits);
  }
  MarkedDocument blocks = in_blocks(document, std::move(parts), edits);
  attributes.texts().append_to(blocks);
  return blocks;
}

bool is_element_of_html(std::string_view name) {
  return gumbo_tagn_enum(name.data(), static_cast<unsigned int>(name.size())) != GUMBO_TAG_UNKNOWN;
}

bool is_element_of_program(std::string_view name) { return name.find_first_of("-:") != std::string_view::npos; }

std::string decode_entities(std::string_view raw) {
  if (raw.find('&') == std::string_view::npos) return std::string(raw);
  GumboOptions options = kGumboDefaultOptions;
  options.max_errors = 0;  // each error would keep a copy of the open tags
  std::string inside = "<pre>x";  // "x": no line end at the beginning is dropped
  for (const char c : raw) c == '<' ? inside += "&lt;" : inside += c;
  inside += "</pre>";
  const Parsed parsed(gumbo_parse_with_options(&options, inside.data(), inside.size()),
                      [](GumboOutput* output) { gumbo_destroy_output(&kGumboDefaultOptions, output); });
  const GumboNode* node = parsed->root;
  while (node->type == GUMBO_NODE_ELEMENT && node->v.element.children.length > 0) {
    const GumboVector& children = node->v.element.children;
    node = static_cast<const GumboNode*>(children.data[children.length - 1]);
  }
  return node->type == GUMBO_NODE_TEXT ? std::string(node->v.text.text).substr(1) : std::string(raw);
}

std::string_view entity_at(std::string_view text, size_t at) {
  constexpr size_t kLongest = 12;
  const size_t end = text.substr(0, std::min(at + kLongest, text.size())).find_first_of("; \t\n", at);
  if (end == std::string_view::npos || text[end] != ';') return {};
  const std::string_view entity = text.substr(at, end + 1 - at);
  return decode_entities(entity) == entity ? std::string_view() : entity;
}

}  // namespace ventris::markup
