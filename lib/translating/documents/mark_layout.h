#pragma once
#include <string>
#include <vector>

#include "documents/projection.h"
#include "markup/marked_text.h"

namespace ventris::documents {

using markup::Mark;

/// A mark in a translation.
struct PlacedMark {
  size_t at = 0;
  const Mark* mark = nullptr;
  Mark::Kind kind = Mark::Kind::kAlone;  ///< as it is placed
};

/// The objects of a sentence in its translation.
struct ObjectPlaces {
  std::vector<size_t> before;      ///< of each mark: how many objects are in front of it in the source
  std::vector<ByteRange> targets;  ///< of each object
};

/// The marks of a sentence in its translation of `size` bytes, in the order in which they are written, with places that
/// never fall. What was inside two marks stays inside them. A mark whose other half is in another sentence keeps its
/// side: an opening one ends with the sentence, a closing one begins with it. A pair of marks that are never empty
/// (Mark::never_empty) stands around letters or digits, not around the punctuation beside them, because Markdown would
/// not take it for a pair. If nothing is linked to its content, it stands around the nearest word; if no word is left
/// for it, it is left out. A link of Markdown (Mark::link) is left out if nothing is linked to its content and no
/// object is in it. A pair with nothing else stands at its first object. The halves of a pair that overlaps others
/// (Mark::pair) stand around what is linked to its content, the first one in front, wherever the marks beside them are.
/// The result points into `marks`.
std::vector<PlacedMark> lay_out(const std::vector<Mark>& marks, const Projection& projection, size_t size,
                                const ObjectPlaces& objects);

}  // namespace ventris::documents
