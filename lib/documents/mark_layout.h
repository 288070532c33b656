#pragma once
#include <string>
#include <vector>

#include "documents/marked_text.h"
#include "documents/projection.h"

namespace ventris::documents {

/// A mark in a translation.
struct PlacedMark {
  size_t at = 0;
  const std::string* raw = nullptr;
};

/// The marks of a sentence in its translation of `size` bytes, in the order in which they are written, with places that
/// never fall. What was inside two marks stays inside them. A mark whose other half is in another sentence keeps its
/// side: an opening one ends with the sentence, a closing one begins with it. The result points into `marks`.
std::vector<PlacedMark> lay_out(const std::vector<Mark>& marks, const Projection& projection, size_t size);

}  // namespace ventris::documents
