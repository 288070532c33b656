#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::formats {

/// Reads the properties of Java (java.util.Properties.load): the blocks are the texts of the values. In a value with a
/// placeholder such as {0}, two apostrophes are one (java.text.MessageFormat). If the file has no characters outside
/// ASCII, translations get escapes for theirs, as in "\u00fc". Throws MarkupError, with the line, for an escape that is
/// not complete.
markup::MarkedDocument parse_properties(const std::string& document);

}  // namespace ventris::formats
