#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "model/package.h"
#include "settings/run_config.h"

/// A model that starts from a bundle with more layers (training.finetune_from): "shrink and fine-tune" of Shleifer and
/// Rush 2020.
namespace ventris::preparation {

/// Whether a setting of `model` is a number of layers that may be less than that of the bundle: encoder_layers and
/// decoder_layers of a Transformer, layers of a BERT.
bool can_be_fewer(const std::string& family, const std::string& setting);

/// The layers of a stack of `has` from which `wanted` layers (1 to `has`) start, counted from 0. They are spread evenly
/// from the first to the last one. A single layer is the first one.
std::vector<int64_t> spread_layers(int64_t has, int64_t wanted);

/// The weights of the bundle with the names that they have in the model of these settings: as they are if it has as
/// many layers. Throws ConfigError if the model has fewer, but not the same tensors, because of another setting.
model::Safetensors weights_with_layers(const settings::RunConfig& config, const model::Bundle& base);

/// For the log, what weights_with_layers() takes: "decoder layers 1, 4 of 4"; empty if the model has as many.
std::string layers_taken(const settings::RunConfig& config, const model::Package& base);

}  // namespace ventris::preparation
