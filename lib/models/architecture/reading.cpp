#include "architecture/reading.h"

#include "core/error.h"

namespace ventris::architecture {

void read_size(core::JsonReader& reader, const std::string& key, int64_t& value, int64_t least, int64_t most) {
  reader.optional(key, value);
  if (value < least || value > most) {
    fail<ConfigError>(reader.path_of(key), ": must be from ", least, " to ", most, ", got ", value);
  }
}

void read_dropout(core::JsonReader& reader, const std::string& key, double& value) {
  reader.optional(key, value);
  if (!(value >= 0 && value < 1)) {
    fail<ConfigError>(reader.path_of(key), ": must be at least 0 and under 1, got ", value);
  }
}

}  // namespace ventris::architecture
