#include "formats/format_reading.h"

#include "formats/apple_strings.h"
#include "formats/document_text.h"
#include "formats/icu_blocks.h"
#include "formats/json_messages.h"
#include "formats/po.h"
#include "formats/properties.h"
#include "formats/subtitles.h"
#include "formats/yaml_messages.h"
#include "markup/tex_formulas.h"
#include "office/document_package.h"
#include "office/epub_text.h"

namespace ventris::formats {

using markup::Markup;

namespace {

markup::MarkedDocument read_page(const std::string& page, const markup::DocumentChanges& changes) {
  markup::MarkedDocument parsed =
      office::is_xhtml(page) ? office::parse_xhtml(page, changes) : markup::parse_markup(page, Markup::kHtml, changes);
  parsed.has_dollars = markup::loads_tex(page);
  return parsed;
}

}  // namespace

markup::MarkedDocument read_document(const std::string& document, Markup markup, const markup::DocumentChanges& changes,
                                     const FormatOptions& options) {
  if (markup == Markup::kHtml) return read_page(document, changes);
  if (!markup::keeps_bytes(markup)) {
    markup::MarkedDocument parsed = markup::parse_markup(document, markup, changes);
    if (markup == Markup::kXliff) divide_into_forms(parsed, markup);
    return parsed;
  }
  if (markup::is_package(markup)) {
    return office::parse_package(document, markup, changes, options.most_unpacked);
  }
  constexpr std::string_view kAdviceForJava =
      "convert the file to UTF-8 or, for Java 8 and older, write its letters as \\u00e9 (native2ascii)";
  check_text(document, markup == Markup::kProperties ? kAdviceForJava : kUsualAdvice);
  if (markup::is_subtitles(markup)) return parse_subtitles(document, markup);
  if (markup == Markup::kPo) return parse_po(document, options.fuzzy);
  if (markup == Markup::kJson) return parse_json_messages(document, options.keys);
  if (markup == Markup::kProperties) return parse_properties(document);
  if (markup == Markup::kStrings) return parse_apple_strings(document);
  return parse_yaml_messages(document, options.keys);
}

}  // namespace ventris::formats
