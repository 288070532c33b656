#pragma once
#include <nlohmann/json_fwd.hpp>

#include "model/package.h"
#include "run/config.h"
#include "run/options.h"

/// A new run that starts from the weights of a bundle (training.finetune_from).
namespace ventris::preparation {

/// The settings given, with the model and tokenizer sections of what they start from under them: of the bundle named in
/// training.finetune_from, or, if a run is there to go on with, of that run, whose bundle may be gone. Without
/// training.finetune_from nothing is added. Throws ModelError if the bundle is missing or damaged.
nlohmann::json complete_settings(const nlohmann::json& given, const run::RunOptions& options);

/// Throws ConfigError naming the setting (both values) if the settings ask for another shape or another tokenizer than
/// the bundle has. Dropout may differ. Throws DataError if a tokenizer file that is named cannot be read.
void check_base(const run::RunConfig& config, const model::Package& base);

}  // namespace ventris::preparation
