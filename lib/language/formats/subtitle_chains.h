#pragma once
#include <vector>

#include "formats/cue_lines.h"

namespace ventris::formats {

/// Whether a sentence may go on from a line to the next one of the file. Not if somebody else begins to speak, if there
/// is more than a pause between their subtitles, if a song ends, or if the sentence has certainly ended. (Where it is
/// not clear, the rules for sentences decide.)
bool may_go_on(const CueLine& line, const CueLine& next, const std::vector<Cue>& cues);

}  // namespace ventris::formats
