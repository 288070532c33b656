#pragma once
#include <string>

#include "model/model_config.h"
#include "model/safetensors.h"

namespace ventris::engine {

/// The weights of a packed model in f32, as the bytes of the safetensors file of a bundle. Packing multiplies queries
/// with a factor; because it is divided out again, their last bit may differ from the bundle's. Throws ModelError, with
/// what was found, for another precision or family, and for kinds of attention whose weights packing changes for good.
std::string unpack_weights(const model::ModelConfig& config, const model::Safetensors& packed);

}  // namespace ventris::engine
