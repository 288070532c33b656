#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ventris::settings {

/// The end of a message about an unknown setting: " (did you mean 'training.schedule.learning_rate'?)", or empty.
/// `path` is that of the unknown setting. `known` has all settings, of one family of models. The suggestion is a
/// setting of the same name elsewhere, or else one of the same section or of another with a similar name.
std::string suggested_setting(const std::string& path, const nlohmann::json& known);

}  // namespace ventris::settings
