#pragma once
#include <string>

#include "settings/run_config.h"

namespace ventris::settings {

/// The settings in a file, which may have no corpora. Throws ConfigError that begins with the file if they are wrong,
/// and as files::read_json_file if it cannot be read.
RunConfig read_settings(const std::string& file);

}  // namespace ventris::settings
