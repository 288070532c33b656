#pragma once
#include <memory>
#include <string>

#include "arithmetic/matrix.h"
#include "decoding/text_encoder.h"
#include "model/model_config.h"
#include "model/safetensors.h"

/// The encoders of Transformers, of BERTs and of classifiers on a CPU, without LibTorch.
namespace ventris::engine {

/// Why the engine cannot compute the encoder of this model, for messages; "" = it can.
std::string unsupported_encoder(const model::ModelConfig& config);

/// Makes encoders of a model for which unsupported_encoder() returns an empty text. The weights are packed once and
/// shared. Throws ModelError for a tensor that is missing or of a wrong shape or type; ConfigError for a layer that is
/// too wide for the precision.
std::unique_ptr<decoding::TextEncoderFactory> make_text_encoders(const model::ModelConfig& config,
                                                                 const model::Safetensors& weights,
                                                                 arithmetic::Precision precision);

/// The same for a packed file of a Transformer, whose weights are used where they are.
std::unique_ptr<decoding::TextEncoderFactory> make_packed_text_encoders(const model::ModelConfig& config,
                                                                        const model::Safetensors& packed);

}  // namespace ventris::engine
