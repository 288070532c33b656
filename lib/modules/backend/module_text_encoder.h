#pragma once
#include <torch/torch.h>

#include <memory>

#include "core/special_ids.h"
#include "decoding/text_encoder.h"
#include "model/model_config.h"
#include "nn/model.h"

namespace ventris::backend {

/// Encoders over a module: a BERT, a classifier, or a model that translates token by token. `name` is the name of the
/// model in messages. Throws ModelError for any other model.
std::unique_ptr<decoding::TextEncoderFactory> make_text_encoders(const nn::Model& module,
                                                                 const model::ModelConfig& config, torch::Device device,
                                                                 const std::string& name);

}  // namespace ventris::backend
