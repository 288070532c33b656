#include "markup/html.h"

#include <gumbo.h>

#include <memory>
#include <utility>
#include <vector>

#include "core/ascii.h"
#include "markup/attribute_texts.h"
#include "markup/block_builder.h"
#include "markup/html_parts.h"
#include "markup/html_templates.h"
#include "markup/html_token.h"

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

/// Whether the document is a part of a page, as editors of pages store it.
bool is_fragment(std::string_view tags) {
  constexpr size_t kMost = 4000;  // bytes in front of the tag
  const std::string start = core::in_lower_case(tags.substr(0, kMost));
  return start.find("<!doctype") == std::string::npos && start.find("<html") == std::string::npos &&
         start.find("<body") == std::string::npos;
}

/// In a component of Vue, whose lines "<template>" and "</template>" are around its page, makes them tags of another
/// block, because the content of other templates is not translated.
void show_template_of_vue(std::string& tags) {
  constexpr std::string_view kName = "template", kBlock = "fieldset";
  const size_t first = tags.find('<');
  if (first == std::string::npos ||
      (tags.compare(first, 9, "<template") != 0 && tags.compare(first, 7, "<script") != 0))
    return;
  const size_t begin = tags.compare(first, 9, "<template") == 0 ? first : tags.find("\n<template");
  const size_t end = tags.rfind("\n</template>");
  if (begin == std::string::npos || end == std::string::npos || end < begin || !is_fragment(tags)) return;
  const size_t name = tags.find(kName, begin);
  const size_t tag_end = tags.find('>', name);
  if (tags.substr(name, tag_end - name).find("pug") != std::string::npos) return;
  tags.replace(name, kName.size(), kBlock);
  tags.replace(tags.find(kName, end), kName.size(), kBlock);
}

using Parsed = std::unique_ptr<GumboOutput, void (*)(GumboOutput*)>;

}  // namespace

MarkedDocument parse_html(const std::string& document, const DocumentChanges& changes) {
  const std::vector<HtmlTemplate> templates = find_templates(document);
  std::string tags = with_hidden_templates(document, templates);
  show_template_of_vue(tags);
  std::vector<Part> parts = html_parts(document, tags, templates);
  if (is_fragment(tags)) parts = divided_at_blank_lines(document, std::move(parts));
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

}  // namespace ventris::markup
