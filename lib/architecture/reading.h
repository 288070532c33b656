#pragma once
#include <cstdint>
#include <string>

#include "core/json_reader.h"

/// Checked reading of the settings that families have in common. All throw ConfigError naming the setting.
namespace ventris::architecture {

/// Far over any real model, far under what overflows when multiplied.
inline constexpr int64_t kLargestSize = 1 << 24;

/// A number from `least` to `most`.
void read_size(core::JsonReader& reader, const std::string& key, int64_t& value, int64_t least = 1,
               int64_t most = kLargestSize);

/// A probability of dropout: at least 0 and under 1.
void read_dropout(core::JsonReader& reader, const std::string& key, double& value);

}  // namespace ventris::architecture
