#pragma once
#include <string>
#include <string_view>

#include "markup/markup.h"

namespace ventris::markup {

/// parse_markup() for HTML: a document or a part of one. The content of code, pre, script, style and similar elements,
/// and of elements with translate="no", is kept.
MarkedDocument parse_html(const std::string& document, const DocumentChanges& changes = {});

/// What an element is for the text around it.
enum class HtmlRole {
  kInline,      ///< a part of a sentence
  kInlineCode,  ///< the same, with content that is not translated
  kBlockCode,   ///< not a part of a sentence, with content that is not translated
  kBlock        ///< all others
};
HtmlRole role_of_element(const std::string& name);

/// Whether it is no element of HTML, but one of a page's own program (<my-icon>) or of Office (<o:p>). Browsers show
/// these as a part of the sentence.
bool is_element_of_program(std::string_view name);

/// Whether HTML has an element with this name, in letters of any case.
bool is_element_of_html(std::string_view name);

/// The text with characters in the place of entities.
std::string decode_entities(std::string_view raw);

/// The entity that begins with the "&" at this byte, from there to its semicolon; empty if it is none that HTML knows.
std::string_view entity_at(std::string_view text, size_t at);

}  // namespace ventris::markup
