#pragma once
#include <nlohmann/json_fwd.hpp>

#include "model/package.h"
#include "run/config.h"
#include "run/options.h"

/// A new run that starts from the weights of a bundle (training.finetune_from).
namespace ventris::preparation {

/// Completes the given settings with the model and tokenizer sections of the bundle in training.finetune_from, or, if a
/// run will be resumed, of that run (the bundle may be gone). Without training.finetune_from, returns the settings
/// unchanged. Throws ModelError if the bundle is missing or damaged.
nlohmann::json complete_settings(const nlohmann::json& given, const run::RunOptions& options);

/// Throws ConfigError with the setting and both values if the settings have another shape or another tokenizer than
/// the bundle. Dropout may differ. Throws DataError if a tokenizer file cannot be read.
void check_base(const run::RunConfig& config, const model::Package& base);

}  // namespace ventris::preparation
