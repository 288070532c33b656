#pragma once
#include "markup/markup.h"
#include "markup/xml_events.h"

namespace ventris::markup {

/// Whether the root of the document is <xliff>.
bool is_xliff(const XmlDocument& xml);

/// parse_markup() for XLIFF 1.2 and 2.x: the blocks are the sources, and stand in the targets. A target is added if a
/// source has none. Everything else is kept.
MarkedDocument parse_xliff(const XmlDocument& xml, const DocumentChanges& changes);

}  // namespace ventris::markup
