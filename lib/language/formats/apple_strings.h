#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::formats {

/// Reads a strings file of macOS and iOS ("key" = "value";). The blocks are the texts of the values. Comments and keys
/// stay. Throws MarkupError, with the line, for anything else.
markup::MarkedDocument parse_apple_strings(const std::string& document);

}  // namespace ventris::formats
