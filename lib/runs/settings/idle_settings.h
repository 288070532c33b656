#pragma once
#include <string>
#include <vector>

#include "settings/run_config.h"

namespace ventris::settings {

/// A warning for each group of settings that are not the default, but have no effect in this run because another one
/// is missing: "data.context.single: has no effect without data.context.sentences; set that, or leave it out".
std::vector<std::string> idle_settings(const RunConfig& config);

}  // namespace ventris::settings
