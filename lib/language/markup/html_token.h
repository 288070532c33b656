#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "text/tokenizer.h"

namespace ventris::markup {

using text::ByteRange;

/// A part of an HTML document, as the tokenizer of HTML 5 divides it (WHATWG HTML, section 13.2.5).
struct HtmlToken {
  enum class Kind {
    kText,      ///< characters, with entities as they are written
    kStartTag,
    kEndTag,
    kComment,   ///< also what browsers take for one: <?...>, <!...> and </ without a name
    kDoctype,
    kCutTag     ///< a tag that the end of the document cuts off; browsers drop it
  };
  Kind kind = Kind::kText;
  ByteRange range = {};
  std::string name = {};       ///< of a tag, in small letters
  bool self_closing = false;   ///< the tag ends with "/>"
  bool untranslated =
      false;   ///< the tag has translate="no", the class "notranslate", or is an icon, a formula or a signature
  bool translated = false;  ///< the tag has translate="yes" or, which means the same, an empty translate, or it is a
                            ///< <template> with attributes of Vue, whose content is shown, or a title in Confluence

  bool is_tag() const { return kind == Kind::kStartTag || kind == Kind::kEndTag; }
};

/// The token that begins at this byte (before the end) of the document. Its time grows with its size.
HtmlToken html_token(std::string_view document, size_t at);

/// The value of an attribute of a start tag, without quotation marks; nothing if it has no such attribute. `name`: in
/// small letters.
std::optional<ByteRange> attribute(std::string_view document, const HtmlToken& tag, std::string_view name);

/// Whether a list of classes has "notranslate", by which translators of pages know what stays, or those of icons, of
/// formulas (KaTeX, MathJax, pandoc), and of signatures and their parts (Sphinx, Doxygen, Javadoc, rustdoc, TypeDoc).
bool has_no_translate(std::string_view classes);

/// Whether the start tag says that its element refers to a note: role="doc-noteref" (DPUB-ARIA) or
/// epub:type="noteref".
bool is_note_reference(std::string_view document, const HtmlToken& tag);

/// Whether the start tag links to an anchor: href="#note" or "page.html#note".
bool links_to_anchor(std::string_view document, const HtmlToken& tag);

/// Where the content of an element ends that has only text and no tags (script, style, title, textarea...): at its end
/// tag, or at the end of the document. `name`: of the start tag, which ends at byte `at`. `at` for all other elements.
size_t end_of_raw_text(std::string_view document, size_t at, std::string_view name);

/// Whether it is such an element.
bool is_raw_text_element(std::string_view name);

/// Whether the element has no content and no end tag, such as <br>.
bool is_void_element(std::string_view name);

}  // namespace ventris::markup
