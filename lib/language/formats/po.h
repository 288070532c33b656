#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::formats {

/// Reads a catalogue of gettext (.po, .pot). The blocks are the texts of entries that have no translation; these get
/// them, and the flag fuzzy if `fuzzy`. Everything else stays: the header, translations, obsolete entries, comments. An
/// entry stays without a translation if the conversions of printf in it would not be those of the source. Throws
/// MarkupError (read_po), also for a header that declares another encoding than UTF-8.
markup::MarkedDocument parse_po(const std::string& document, bool fuzzy);

}  // namespace ventris::formats
