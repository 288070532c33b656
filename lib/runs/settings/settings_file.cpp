#include "settings/settings_file.h"

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "files/json_file.h"

namespace ventris::settings {

RunConfig read_settings(const std::string& file) {
  const nlohmann::json settings = files::read_json_file(file);
  try {
    return RunConfig::parse(settings, RunConfig::Corpora::kMayBeMissing);
  } catch (const ConfigError& error) {
    fail<ConfigError>(file, ": ", error.what());
  }
}

}  // namespace ventris::settings
