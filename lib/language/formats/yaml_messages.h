#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::formats {

/// Reads a YAML file (read_yaml), such as the messages of Ruby on Rails. The blocks are the texts of its values, not of
/// its keys. `keys`: of the values that are translated (KeyChoice). Everything else stays byte for byte. Throws
/// MarkupError (read_yaml).
markup::MarkedDocument parse_yaml_messages(const std::string& document, const std::string& keys);

}  // namespace ventris::formats
