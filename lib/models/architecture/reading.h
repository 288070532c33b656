#pragma once
#include <cstdint>
#include <string>

#include "core/json_reader.h"

/// Reads and checks settings that families have in common. All functions throw ConfigError with the setting's name.
namespace ventris::architecture {

/// Far above the sizes of real models, and small enough that products do not overflow.
inline constexpr int64_t kLargestSize = 1 << 24;

/// Reads a number from `least` to `most`.
void read_size(core::JsonReader& reader, const std::string& key, int64_t& value, int64_t least = 1,
               int64_t most = kLargestSize);

/// Reads a dropout probability: at least 0 and under 1.
void read_dropout(core::JsonReader& reader, const std::string& key, double& value);

}  // namespace ventris::architecture
