#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "text/tokenizer.h"

namespace ventris::markup {

/// The bytes of the settings (front matter) that site generators and pandoc expect at the beginning of a document; 0 if
/// it has none: YAML between "---" and "---" or "...", TOML between "+++", or an object of JSON ("{" and "}" on lines
/// of their own). Between "---", each line must be one of YAML, since "---" is also a line of Markdown.
size_t size_of_front_matter(std::string_view document);

/// The parts of a document that are no Markdown, sorted:
/// - at its beginning, its front matter, or the fields of Pelican and MultiMarkdown ("Title: a", "Date: 2020-01-01");
/// - of pandoc's title block (lines "% Title", "% Authors" and "% Date", each maybe with indented lines below it), the
///   first "%", and the other fields;
/// - the settings of slides, behind "---" ("layout: two-cols" of Slidev, "class: center" of remark).
/// Takes a time that grows with the document.
std::vector<text::ByteRange> settings_of(std::string_view document);

}  // namespace ventris::markup
