#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "model/package.h"
#include "run/run_options.h"
#include "settings/run_config.h"

/// A new run that starts from the weights of a bundle or an export (training.finetune_from, training.encoder_from).
namespace ventris::preparation {

/// Completes the given settings with the model and tokenizer sections of the bundle in training.finetune_from, with
/// those that fit the BERT in training.encoder_from, or, if a run will be resumed, with those of that run (the bundle
/// may be gone). Without these two settings, returns the settings unchanged. Throws ModelError if the bundle is missing
/// or damaged, and ConfigError if no encoder can start from it.
nlohmann::json complete_settings(const nlohmann::json& given, const run::RunOptions& options);

/// Opens the model in training.finetune_from: a bundle; a TorchScript export, whose weights are read without running
/// it; or a packed model, as far as engine::unpack_weights() can turn it back. Throws ModelError if it is missing or
/// damaged, or if its weights cannot be had.
model::Bundle open_base(const std::string& path);

/// Throws ConfigError with the setting and both values if the settings have another shape or another tokenizer than
/// the bundle. Dropout may differ, and there may be fewer layers (fewer_layers.h). Throws DataError if a tokenizer file
/// cannot be read.
void check_base(const settings::RunConfig& config, const model::Package& base);

/// Warnings of what the bundle has learnt and the new model will not have, because it is not among the settings: the
/// sentences before (data.context), and links between words (training.guided_alignment).
std::vector<std::string> lost_with(const settings::RunConfig& config, const model::Package& base);

}  // namespace ventris::preparation
