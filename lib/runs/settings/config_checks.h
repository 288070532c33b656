#pragma once
#include "settings/run_config.h"

namespace ventris::settings {

/// Throws ConfigError with the setting, if settings contradict each other or the model.
void check(const RunConfig& config);

/// Throws ConfigError for a setting that needs a validation corpus, if there is none.
void check_needed_corpora(const RunConfig& config);

}  // namespace ventris::settings
