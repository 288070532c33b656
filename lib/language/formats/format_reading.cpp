#include "formats/format_reading.h"

#include "formats/document_text.h"
#include "formats/subtitles.h"

namespace ventris::formats {

using markup::Markup;

markup::MarkedDocument read_document(const std::string& document, Markup markup, const markup::DocumentChanges& changes,
                                     const FormatOptions& /*options*/) {
  if (!markup::keeps_bytes(markup)) return markup::parse_markup(document, markup, changes);
  check_text(document);
  if (markup::is_subtitles(markup)) return parse_subtitles(document, markup);
  return markup::parse_markup(document, markup, changes);
}

}  // namespace ventris::formats
