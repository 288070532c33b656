#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ventris::core {

/// What JSON text looks like, found in one pass that keeps nothing of it but the open objects' keys. (Asking the
/// parser's own callback takes time with the square of an object's size.)
struct JsonShape {
  bool valid = false;                       ///< it is JSON (// and /* */ comments allowed), and was read to its end
  bool too_deep = false;                    ///< reading stopped there
  std::optional<std::string> repeated_key;  ///< the first that some object has twice
  size_t top_members = 0;                   ///< keys of the outermost object
};

/// Stops at text nested deeper than `max_depth` levels; never throws for bad text.
JsonShape shape_of_json(std::string_view text, int max_depth);

}  // namespace ventris::core
