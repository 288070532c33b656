#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "documents/masking.h"
#include "markup/marked_text.h"
#include "translation/alignment.h"

namespace ventris::documents {

using markup::Escape;
using text::ByteRange;

/// Whether a translation has one of these words more than once.
bool has_surplus_words(const MaskedText& masked, std::string_view target);

/// A translation of a masked text, with links between words (translation::align_words).
struct AlignedText {
  std::string text;
  std::vector<translation::Link> links;
};

/// A translation with its objects and marks.
struct PlacedText {
  std::string raw;   ///< as it is written in the document
  std::string text;  ///< what the model wrote of it, without `escape`; words that objects have replaced are left out
  uint64_t left_out = 0;  ///< links of Markdown without words, which are not in `raw`: the sum of Mark::link
  std::vector<size_t> order = {};  ///< the numbers of the objects, in the order in which they are written
};

/// Puts the objects and marks of the sentence into a translation of its masked text. Each comes back exactly once, as
/// it is written. Marks stay nested as they were, around the words that are linked to those of the source. An object
/// takes the place of its word, or of the only word linked to it, or is put next to the translation of its neighbours;
/// the sign of a note, without a space. Objects that follow each other still do. If the model wrote a word more than
/// once, the place that is linked to the object's is taken, and the others are removed. `escape`, if given, is applied
/// to all other text.
PlacedText put_back(const MarkedText& sentence, const MaskedText& masked, const AlignedText& translation,
                    const Escape& escape);

}  // namespace ventris::documents
