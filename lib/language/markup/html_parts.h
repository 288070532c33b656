#pragma once
#include <string_view>
#include <vector>

#include "markup/block_builder.h"
#include "markup/html_templates.h"

namespace ventris::markup {

/// Turns the tags and texts of HTML, a document or a part of one, into parts: pairs tags, and makes objects of what is
/// not translated. `tags`: the document with_hidden_templates(). Throws as ParsingLimits.
std::vector<Part> html_parts(std::string_view document, std::string_view tags,
                             const std::vector<HtmlTemplate>& templates);

/// The same for HTML inside another document, with the places and the escapes (Escaping::kHtml) that it has there.
/// `range`: its bytes in the document.
std::vector<Part> html_parts_inside(std::string_view document, text::ByteRange range);

/// The parts of a fragment of HTML, in which blank lines end a paragraph, as WordPress reads its texts.
std::vector<Part> divided_at_blank_lines(std::string_view document, std::vector<Part> parts);

}  // namespace ventris::markup
