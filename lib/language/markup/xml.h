#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::markup {

/// parse_markup() for XML. An element is a part of a sentence if its parent has text of its own. CDATA sections are
/// kept.
MarkedDocument parse_xml(const std::string& document, const DocumentChanges& changes = {});

}  // namespace ventris::markup
