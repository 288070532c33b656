#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/json_reader.h"
#include "core/setting_description.h"
#include "modifiers/modifier.h"

namespace ventris::settings {

/// Reads the list "modifiers". Throws ConfigError with the setting: for an entry without a kind or a share, for a
/// setting of another kind, and if the shares sum to more than 1.
std::vector<modifiers::Modifier> parse_modifiers(core::JsonReader& reader, const std::string& key);
nlohmann::json to_json(const std::vector<modifiers::Modifier>& list);

/// The settings of an entry, for docs/settings.md.
core::SettingsSection describe_modifier();

}  // namespace ventris::settings
