#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::office {

/// content.xml or styles.xml of an OpenDocument text, presentation or table (OpenDocument 1.2, part 1). Translated are
/// paragraphs and headings, also those in notes, comments, headers and footers. In tables, only cells that have text,
/// and no formula, are. Not translated: what a tracked change has deleted, and fields. Throws MarkupError as
/// markup::parse_markup().
markup::MarkedDocument parse_odf_text(const std::string& whole);

}  // namespace ventris::office
