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
  bool too_many = false;                    ///< more values than allowed; reading stopped there
  std::optional<size_t> zero_byte;  ///< the place of the first, which no JSON has; to the parser, it is the end
  std::optional<std::string> repeated_key;  ///< the first key that is repeated in its object
  size_t top_members = 0;  ///< keys of the outermost object
};

/// The maximum numbers of levels, of values (keys count, too) and of bytes in JSON text from files. A parsed value
/// takes up to 100 bytes, so that a short text of many values would need very much memory. The header of the largest
/// safetensors file that is accepted has fewer values.
inline constexpr int kMostJsonLevels = 64;
inline constexpr size_t kMostJsonValues = 2'000'000;
inline constexpr size_t kMostJsonBytes = size_t{64} << 20;

/// Stops where the text is nested deeper than `max_depth` levels or has more than `max_values` values. Does not throw
/// for bad text.
JsonShape shape_of_json(std::string_view text, int max_depth, size_t max_values = kMostJsonValues);

/// Whether the text is JSON within the limits above, so that parsing it needs little memory.
bool is_modest_json(std::string_view text, size_t max_values = kMostJsonValues);

}  // namespace ventris::core
