#pragma once
#include <nlohmann/json_fwd.hpp>

#include "model/package.h"
#include "settings/config.h"
#include "run/options.h"

/// A new run that starts from the weights of a bundle (training.finetune_from, training.encoder_from).
namespace ventris::preparation {

/// Completes the given settings with the model and tokenizer sections of the bundle in training.finetune_from, with
/// those that fit the BERT in training.encoder_from, or, if a run will be resumed, with those of that run (the bundle
/// may be gone). Without these two settings, returns the settings unchanged. Throws ModelError if the bundle is missing
/// or damaged, and ConfigError if no encoder can start from it.
nlohmann::json complete_settings(const nlohmann::json& given, const run::RunOptions& options);

/// Throws ConfigError with the setting and both values if the settings have another shape or another tokenizer than
/// the bundle. Dropout may differ. Throws DataError if a tokenizer file cannot be read.
void check_base(const settings::RunConfig& config, const model::Package& base);

}  // namespace ventris::preparation
