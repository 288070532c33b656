#pragma once
#include <nlohmann/json_fwd.hpp>

#include "model/package.h"
#include "training/config.h"
#include "training/trainer.h"

/// A new run that starts from the weights of a bundle (training.finetune_from).
namespace ventris::training {

/// Completes the given settings with the model and tokenizer sections of the bundle in training.finetune_from, or, if a
/// run will be resumed, of that run (the bundle may be gone). Without training.finetune_from, returns the settings
/// unchanged. Throws ModelError if the bundle is missing or damaged.
nlohmann::json complete_settings(const nlohmann::json& given, const RunOptions& options);

/// Throws ConfigError with the setting and both values if the settings have another shape or another tokenizer than
/// the bundle. Dropout may differ. Throws DataError if a tokenizer file cannot be read.
void check_base(const RunConfig& config, const model::Package& base);

}  // namespace ventris::training
