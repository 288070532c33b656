#pragma once
#include <vector>

#include "documents/cutter.h"
#include "translation/translator.h"

namespace ventris::documents {

/// The translation of a whole text from those of its segments, or of "" if there are none: texts with what was kept
/// between them; pieces in a row; links between the words of the whole texts; log-probabilities and tokens summed; the
/// mean of scores and utilities. Only the best candidates count; what they do not fulfil
/// stands together.
translation::Translation join(const CutText& cut, const std::vector<translation::Translation>& translations);

}  // namespace ventris::documents
