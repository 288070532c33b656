#pragma once
#include <string>

namespace ventris::markup {

/// A document in which the parser sees the Markdown in elements of HTML that say that they have some
/// (<div markdown>, <td markdown="1">, as in Python-Markdown and kramdown), and in components of MDX (<Steps>), without
/// empty lines between: lines of tags become rules, and other tags of blocks, tags inside a sentence. Lines and places
/// stay the same, but not the tags.
struct MarkdownInHtml {
  std::string text;
  bool has_components = false;
};
MarkdownInHtml with_markdown_in_html(std::string document);

}  // namespace ventris::markup
