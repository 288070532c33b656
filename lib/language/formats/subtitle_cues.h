#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/document_text.h"
#include "markup/markup.h"

namespace ventris::formats {

/// A subtitle: its times, and its lines of text.
struct Cue {
  double begin = 0, end = 0;  ///< in seconds
  std::vector<ByteRange> lines = {};  ///< of its text, in the document, without line ends
  int64_t line = 1;  ///< of the first of them, from 1
};

/// The subtitles of a file in SRT, or in WebVTT (W3C, Candidate Recommendation of 2019, section 4). What is between
/// them (numbers, times with their settings, NOTE, STYLE and REGION) is no text. Throws MarkupError, with the line, for
/// anything else, such as a time that cannot be read.
std::vector<Cue> read_cues(std::string_view document, markup::Markup markup);

}  // namespace ventris::formats
