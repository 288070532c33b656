#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::formats {

/// Reads a JSON file (RFC 8259), such as the messages of i18next. The blocks are the texts of its strings, not of its
/// keys. `keys`: of the values that are translated (KeyChoice). Everything else stays byte for byte, also the escapes
/// of strings that do not change, and what describes a file or a message (MediaWiki, ARB of Flutter, JSON-LD).
/// `language`: of the translation, which becomes that of a file of Flutter, with "_" for "-"; "" = it is not changed.
/// Throws MarkupError, with the line, for a file that is not JSON.
markup::MarkedDocument parse_json_messages(const std::string& document, const std::string& keys,
                                           std::string language = {});

}  // namespace ventris::formats
