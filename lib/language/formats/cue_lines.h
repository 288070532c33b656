#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/subtitle_cues.h"
#include "markup/marked_text.h"

namespace ventris::formats {

/// A line of a subtitle.
struct CueLine {
  size_t cue = 0;      ///< by number
  ByteRange range;     ///< in the document
  int64_t line = 1;    ///< of the document
  std::string before;  ///< what stays in front of the text: white space, a dash, a tag around the whole line
  markup::MarkedText text = {};
  std::string after;   ///< what stays behind it
  std::string voice = {};  ///< the tag <v ...> of WebVTT in front of it
  bool begins = false;     ///< a new speaker begins here, or a song
  bool ends = false;       ///< a note is at its end
};

/// The lines of a subtitle. Tags are <i> and the like, and codes such as {\an8}. In WebVTT, entities become characters.
/// Where somebody else begins to speak in a line ("- Yes. - No."), a line of its own begins. A pair of tags is in one
/// subtitle; other tags are marks alone. Throws MarkupError for tags that are nested too deeply.
std::vector<CueLine> lines_of_cue(std::string_view document, const Cue& cue, size_t number, markup::Markup markup);

/// A part of a line: a tag or text.
struct CueToken {
  std::string_view raw;
  bool is_tag = false;
  std::string_view name = {};  ///< of a tag with a name: "i", "c"
  bool closes = false;         ///< </i>
};

/// Divides a line.
std::vector<CueToken> cue_tokens(std::string_view line, markup::Markup markup);

}  // namespace ventris::formats
