#pragma once
#include <string>

#include "markup/markup.h"

namespace ventris::formats {

/// Reads subtitles in SRT or WebVTT. A block is a run of lines in which a sentence may go on from one to the next, also
/// in the next subtitle; its text has a line feed between them. Its translation has them, too, and each of its lines
/// takes the place of one of the source. Throws MarkupError (read_cues, lines_of_cue).
markup::MarkedDocument parse_subtitles(const std::string& document, markup::Markup markup);

}  // namespace ventris::formats
