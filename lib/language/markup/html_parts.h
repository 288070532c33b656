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

/// Which lines of a fragment of HTML end a text: those before a blank line, or all in which no sentence goes on
/// (line_goes_on).
enum class LineEnds { kBlank, kAll };

/// The parts of a fragment of HTML, in which line ends divide texts, as WordPress reads its texts.
std::vector<Part> divided_at_lines(std::string_view document, std::vector<Part> parts, LineEnds ends);

}  // namespace ventris::markup
