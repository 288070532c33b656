#pragma once
#include <vector>

#include "documents/mark_layout.h"

namespace ventris::documents {

/// An object in a translation.
struct PlacedObject {
  size_t number = 0;   ///< in the source
  ByteRange place;     ///< replaced by the object
  bool found = false;  ///< its word was there, or another word took its place
};

/// Moves objects into the pairs of marks that they were in, to the nearer end. An object whose word was not found is
/// moved out of pairs that it was not in. `objects`: in the order of their numbers; `before`: of each mark, how many
/// objects are in front of it in the source; `placed`: from lay_out() of `marks`. The time grows with their number and
/// with how deeply marks are nested.
void keep_nested(std::vector<PlacedObject>& objects, const std::vector<Mark>& marks, const std::vector<size_t>& before,
                 const std::vector<PlacedMark>& placed);

}  // namespace ventris::documents
