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
/// them (numbers, times with their settings and, in WebVTT, blocks without times, such as NOTE) is no text. Times begin
/// a subtitle also without an empty line before them. Throws MarkupError, with the line, for times that cannot be read,
/// and for anything else.
std::vector<Cue> read_cues(std::string_view document, markup::Markup markup);

}  // namespace ventris::formats
