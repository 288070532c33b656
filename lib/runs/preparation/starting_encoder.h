#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "model/package.h"
#include "settings/run_config.h"

/// A new Transformer or classifier whose encoder starts from a BERT (training.encoder_from): a bundle of the family
/// "bert", or of a classifier with other labels.
namespace ventris::preparation {

/// The sections that `given` needs for this BERT: the family, the settings of the encoder, and for a Transformer two
/// tokenizers. Throws ModelError if the bundle is missing or damaged, and ConfigError if it is no BERT or `given` has
/// another family.
nlohmann::json sections_for_encoder(const nlohmann::json& given, const std::string& bundle);

/// Throws ConfigError with the setting, its value and one that works, if the encoder of these settings cannot compute
/// what the BERT computes, or if the settings name another source tokenizer. Dropout may differ. Throws DataError if
/// the tokenizer file cannot be read.
void check_encoder(const settings::RunConfig& config, const model::Package& bert);

}  // namespace ventris::preparation
