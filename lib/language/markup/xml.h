#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::markup {

/// parse_markup() for XML. An element is a part of a sentence if its parent has text of its own. cdata_parts() reads
/// CDATA sections. `markup`: kXml, or kXliff or kAndroid, whose root must be <xliff> or <resources>.
MarkedDocument parse_xml(const std::string& document, Markup markup = Markup::kXml,
                         const DocumentChanges& changes = {});

}  // namespace ventris::markup
