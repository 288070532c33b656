#pragma once
#include <string>

#include "documents/markup.h"

namespace ventris::documents {

/// parse_markup() for HTML: a document or a part of one. The content of code, pre, script, style and similar elements,
/// and of elements with translate="no", is kept.
MarkedDocument parse_html(const std::string& document);

}  // namespace ventris::documents
