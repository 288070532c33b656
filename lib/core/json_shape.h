#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace ventris::core {

/// The structure of JSON text, found in one pass that stores only the keys of the open objects. (With the callback of
/// nlohmann's parser, the time would grow with the square of an object's size.)
struct JsonShape {
  bool valid = false;                       ///< it is JSON (// and /* */ comments allowed) and was read to its end
  bool too_deep = false;                    ///< nested deeper than allowed; reading stopped there
  std::optional<std::string> repeated_key;  ///< the first key that is repeated in its object
  size_t top_members = 0;                   ///< keys of the outermost object
};

/// Stops where the text is nested deeper than `max_depth` levels. Does not throw for bad text.
JsonShape shape_of_json(std::string_view text, int max_depth);

}  // namespace ventris::core
