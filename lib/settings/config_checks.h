#pragma once
#include "settings/config.h"

namespace ventris::settings {

/// Throws ConfigError with the setting, if settings contradict each other or the model.
void check(const RunConfig& config);

}  // namespace ventris::settings
